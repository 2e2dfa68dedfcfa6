// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import static dev.mooring.plugin.nfs.Calls.answer;
import static dev.mooring.plugin.nfs.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.VolumeSpec;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that refuses, differs, hangs or forgets, against the kernel's own client. */
@Tag("guest")
class KernelOutageTest {
    @Test
    void n07_aVersionThatTheServerDoesNotSpeakIsNeverReplacedByAnother() {
        try (NfsNode guest = new NfsNode()) {
            NfsNode.run("sh", "-c", "rpc.nfsd 0; rpc.nfsd -N 4.2 4");
            try {
                Path export = guest.exported("n07");
                Outcome<PluginState> answer = guest.publish(NfsNode.volume(export, "vers=4.2"), "t");
                assertThat(answer(answer)).as(answer::toString).isIn("deferred", "INCOMPATIBLE");
                assertThat(guest.mounts()).isEmpty();
                value(guest.publish(NfsNode.volume(export, "vers=4.1"), "t"));
            } finally {
                NfsNode.run("sh", "-c", "rpc.nfsd 0; rpc.nfsd -V 4.2 4");
            }
        }
    }

    @Test
    void n08_aSecondVolumeOfOneExportGetsWhatItAsksForOrIsRefused() {
        try (NfsNode guest = new NfsNode()) {
            Path export = guest.exported("n08");
            value(guest.publish(NfsNode.volume(export, "vers=4.2"), "first"));
            String[][] others = {
                {"vers=4.2", "ro"}, {"vers=4.1"}, {"vers=3", "nolock"}, {"vers=4.2", "soft"}, {"vers=4.2", "sec=sys"}
            };
            for (String[] options : others) {
                Outcome<PluginState> answer = guest.publish(NfsNode.volume(export, options), "second");
                if (answer.isDone()) {
                    NfsMountOptions wanted = value(NfsMountOptions.of(java.util.List.of(options), false));
                    assertThat(guest.mounts())
                            .filteredOn(entry -> entry.mountPoint().endsWith("second"))
                            .singleElement()
                            .satisfies(entry -> assertThat(new EffectiveOptions(wanted, entry).conflicts())
                                    .isEmpty());
                    value(guest.unpublish(NfsNode.volume(export), "second", PluginState.NONE));
                } else {
                    assertThat(answer(answer)).isEqualTo("INCOMPATIBLE");
                    assertThat(guest.mounts()).hasSize(1);
                }
            }
            // what the first mount decides for all is told
            Calls.Context context = new Calls.Context(guest.host);
            value(guest.plugin.publish(
                    context,
                    Calls.request(
                            NfsNode.volume(export, "vers=4.2", "timeo=100"),
                            guest.target("second"),
                            false,
                            PublishRequest.Occasion.INITIAL)));
            assertThat(context.heard).singleElement().asString().contains("timeo is 600 instead of 100");
        }
    }

    @Test
    @Timeout(900)
    void n09_n10_aDeadServerHoldsUpNoOtherServerAndItsMountGoes() {
        try (NfsNode guest = new NfsNode()) {
            Path export = guest.exported("n09");
            NfsNode.run("ip", "address", "replace", "10.9.9.1/32", "dev", "lo");
            NfsNode.run("ip", "address", "replace", "10.9.9.2/32", "dev", "lo");
            VolumeSpec dead = Calls.volume(Calls.source("10.9.9.1", export.toString()), "vers=3", "nolock");
            VolumeSpec alive = Calls.volume(Calls.source("10.9.9.2", export.toString()), "vers=3", "nolock");
            PluginState state = value(guest.publish(dead, "dead"));
            value(guest.publish(alive, "alive"));
            Process writer = null;
            try {
                NfsNode.run("ip", "address", "delete", "10.9.9.1/32", "dev", "lo");
                writer = background("echo content >" + guest.target("dead") + "/file");
                for (int i = 0; i < 2; i++) {
                    assertThat(answer(guest.plugin.usage(
                                    new Calls.Context(guest.host),
                                    guest.plugin.identify(dead.source()),
                                    guest.target("dead"))))
                            .isEqualTo("deferred");
                }
                assertThat(value(guest.plugin.usage(
                                        new Calls.Context(guest.host),
                                        guest.plugin.identify(alive.source()),
                                        guest.target("alive")))
                                .capacityBytes())
                        .isPositive();
                assertThat(answer(guest.publish(dead, "again"))).isEqualTo("deferred");
                value(guest.unpublish(alive, "alive", PluginState.NONE));
                value(guest.publish(alive, "alive"));

                value(guest.unpublish(
                        dead, "dead", state)); // a hard mount of a dead server holds up each process that touches it
                assertThat(guest.target("dead")).doesNotExist();
            } finally {
                NfsNode.run("ip", "address", "replace", "10.9.9.1/32", "dev", "lo");
                if (writer != null) {
                    writer.destroyForcibly();
                }
            }
        }
    }

    @Test
    @Timeout(900)
    void n11_anotherPodsWritesSurvive() throws Exception {
        try (NfsNode guest = new NfsNode()) {
            Path export = guest.exported("n11");
            VolumeSpec volume = NfsNode.volume(export, "vers=4.2");
            PluginState state = value(guest.publish(volume, "one"));
            value(guest.publish(volume, "two"));
            Process holder = background("cd " + guest.target("one") + " && exec sleep 1000");
            waitFor(() -> cwd(holder).startsWith(guest.target("one")));
            guest.stop();
            Process writer = background(
                    "echo content >" + guest.target("two") + "/file && sync " + guest.target("two") + "/file");
            try {
                value(guest.unpublish(volume, "one", state));
                assertThat(guest.target("one")).doesNotExist();
                assertThat(writer.isAlive()).isTrue();
            } finally {
                guest.start();
                holder.destroyForcibly();
            }
            assertThat(writer.waitFor(300, TimeUnit.SECONDS)).isTrue();
            assertThat(writer.exitValue()).isZero();
            assertThat(export.resolve("file")).hasContent("content");
        }
    }

    @Test
    @Timeout(900)
    void n12_anExclusiveVolumeIsFreeOnceTheKernelHasLetGo() throws Exception {
        try (NfsNode guest = new NfsNode()) {
            Path export = guest.exported("n12");
            VolumeSpec volume = Calls.withModes(NfsNode.volume(export, "vers=4.2"), AccessMode.READ_WRITE_ONCE_POD);
            PluginState state = value(guest.publish(volume, "t"));
            VolumeSpec other = NfsNode.volume(export, "vers=4.2");
            // what shares the file system forbids force, so that it is taken out of sight
            value(guest.publish(other, "other"));
            Process holder = background("cd " + guest.target("t") + " && exec sleep 1000");
            waitFor(() -> cwd(holder).startsWith(guest.target("t")));
            guest.stop();
            try {
                Outcome<Nothing> answer = guest.unpublish(volume, "t", state);
                assertThat(answer(answer)).as(answer::toString).isEqualTo("uncertain");
                assertThat(answer.message()).contains("draining");
                assertThat(guest.target("t")).doesNotExist();
            } finally {
                guest.start();
            }
            value(guest.unpublish(other, "other", PluginState.NONE));
            assertThat(guest.unpublish(volume, "t", state).message()).contains("draining");
            holder.destroyForcibly();
            holder.waitFor();
            waitFor(() -> guest.unpublish(volume, "t", state).isDone());
        }
    }

    @Test
    void n13_aForgottenExportIsUnpublishedAndANewPodGetsAFreshMount() throws Exception {
        try (NfsNode guest = new NfsNode()) {
            Path export = guest.exported("n13");
            VolumeSpec volume = NfsNode.volume(export, "vers=4.2");
            PluginState state = value(guest.publish(volume, "t"));
            Files.delete(export);
            guest.exported("n13");
            // the server lets go of what was deleted in its own time
            waitFor(() -> value(guest.plugin.check(new Calls.Context(guest.host), volume))
                    .message()
                    .contains("VolumeStale"));
            value(guest.unpublish(volume, "t", state));
            assertThat(guest.target("t")).doesNotExist();
            value(guest.publish(volume, "t"));
            Files.writeString(guest.target("t").resolve("file"), "content");
            assertThat(export.resolve("file")).hasContent("content");
        }
    }

    private static Process background(String command) {
        try {
            return new ProcessBuilder("sh", "-c", command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectInput(new File("/dev/null"))
                    .start();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Path cwd(Process process) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/" + process.pid() + "/cwd"));
        } catch (IOException e) {
            return Path.of("/");
        }
    }

    /** Waits for another process or the kernel, which do not say when they are ready. */
    private static void waitFor(java.util.function.BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }
}
