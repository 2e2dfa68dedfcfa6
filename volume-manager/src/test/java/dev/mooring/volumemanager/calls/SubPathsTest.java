// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import static dev.mooring.volumemanager.machine.Playground.kindOf;
import static dev.mooring.volumemanager.machine.Playground.modeAndGroup;
import static dev.mooring.volumemanager.machine.Playground.tool;
import static dev.mooring.volumemanager.machine.Playground.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.volumemanager.look.BoundedLooks;
import dev.mooring.volumemanager.machine.HangingFiles;
import dev.mooring.volumemanager.machine.Playground;
import dev.mooring.volumemanager.machine.RecordingCall;
import dev.mooring.volumemanager.subpath.SubPathMount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("long")
class SubPathsTest {
    /** How often the attacker is given a chance. */
    private static final int ROUNDS = 1000 * Integer.getInteger("mooring.times", 1);

    private static final int MOST_ROUNDS = 100 * ROUNDS;

    private final BoundedLooks looks = new BoundedLooks(BoundedLooks.ownThreads(), 8);
    private Playground machine;
    private Path volume;
    private Path outside;
    private Path pod;
    private SubPaths subPaths;

    @BeforeEach
    void makesAVolume() throws IOException {
        machine = new Playground(
                HostFeature.ROOT, HostFeature.RESOLVE_RULES, HostFeature.MOUNT_IDENTITY, HostFeature.ATOMIC_BIND);
        machine.file("volume/dir/file", "inside");
        volume = machine.base.resolve("volume");
        outside = machine.file("outside/file", "outside").getParent();
        pod = machine.directory("root/pods/uid");
        Files.createSymbolicLink(volume.resolve("inner"), Path.of("dir"));
        Files.createSymbolicLink(volume.resolve("out"), Path.of("../outside"));
        Files.createSymbolicLink(volume.resolve("absolute"), outside);
        Files.createSymbolicLink(volume.resolve("danglingOut"), Path.of("../outside/new"));
        Files.createSymbolicLink(volume.resolve("dangling"), Path.of("nowhere"));
        tool("chmod", "2770", volume.toString());
        tool("chgrp", "4711", volume.toString());
        subPaths = new SubPaths(machine.context(), looks, pod, "vol");
    }

    @AfterEach
    void cleans() throws IOException {
        if (machine != null) {
            machine.close();
        }
    }

    private Outcome<?> publish(String path, boolean readOnly) {
        return subPaths.publish(volume, List.of(new SubPathMount("main", 0, path, readOnly)));
    }

    private Path place() {
        return pod.resolve("volume-subpaths/vol/main/0");
    }

    @ParameterizedTest
    @CsvSource({"dir, file", "inner, file", "./dir//, file", "., dir/file", "./, dir/file"})
    void aDirectoryIsShown(String path, String name) {
        value(publish(path, false));
        assertThat(place().resolve(name)).hasContent("inside");
        value(publish(path, false));
        assertThat(machine.mountsAt(place())).hasSize(1);
        value(subPaths.unpublish());
        assertThat(pod).isEmptyDirectory();
        assertThat(volume.resolve("dir/file")).hasContent("inside");
        value(subPaths.unpublish());
    }

    @Test
    void aFileIsShownOverAPlaceholder() throws IOException {
        value(publish("inner/file", true));
        assertThat(place()).hasContent("inside");
        assertThat(machine.mountsAt(place()).get(0).readOnly()).isTrue();
        tool("umount", place().toString());
        assertThat(modeAndGroup(place())).isEqualTo("640 0");
        value(publish("dir/file", true));
        value(subPaths.unpublish());
        assertThat(pod).isEmptyDirectory();
    }

    @ParameterizedTest
    @CsvSource({"out", "out/file", "absolute", "absolute/file", "out/new", "danglingOut", "danglingOut/new"})
    void whatLeadsOutOfTheVolumeIsRefused(String path) {
        assertThat(kindOf(publish(path, false))).isEqualTo("DENIED");
        assertThat(machine.mountsBelow(machine.base)).isEmpty();
        assertThat(outside).isDirectoryNotContaining("glob:**/new");
    }

    @ParameterizedTest
    @CsvSource({"dangling", "dangling/below", "dir/file/below"})
    void nothingIsMadeThroughLinksOrFiles(String path) {
        assertThat(kindOf(publish(path, false))).isEqualTo("INCOMPATIBLE");
        assertThat(outside).isDirectoryNotContaining("glob:**/new");
    }

    @Test
    void missingDirectoriesAreMadeLikeTheVolume() throws IOException {
        value(publish("inner/new/deep", false));
        assertThat(modeAndGroup(volume.resolve("dir/new"))).startsWith("2770 ");
        value(subPaths.publish(volume, List.of(new SubPathMount("main", 1, "fresh/deep", false))));
        assertThat(modeAndGroup(volume.resolve("fresh/deep"))).isEqualTo("2770 4711");
    }

    /** So that whatever moment the node dies at, what is found afterwards is what the pod may use. */
    @Test
    void aMissingDirectoryIsNeverThereWithoutTheVolumesMode() throws Exception {
        Path fresh = volume.resolve("fresh");
        Set<String> seen = new ConcurrentSkipListSet<>();
        AtomicBoolean stop = new AtomicBoolean();
        Thread watcher = new Thread(() -> watch(fresh, seen, stop), "watcher");
        watcher.start();
        try {
            for (int round = 0; round < 200; round++) {
                subPaths = new SubPaths(machine.context(), looks, pod, "vol");
                value(publish("fresh", false));
                value(subPaths.unpublish());
                Files.delete(fresh);
            }
        } finally {
            stop.set(true);
            watcher.join();
        }
        assertThat(seen).isSubsetOf("2770 4711");
    }

    private static void watch(Path fresh, Set<String> seen, AtomicBoolean stop) {
        while (!stop.get()) {
            try {
                seen.add(modeAndGroup(fresh));
            } catch (IOException notThere) {
                // removed by now
            }
        }
    }

    @Test
    void aReadOnlySubPathTakesNoWrites() {
        value(publish("dir", true));
        assertThat(machine.mountsAt(place()).get(0).readOnly()).isTrue();
        value(publish("dir", false));
        assertThat(machine.mountsAt(place())).hasSize(1).allMatch(entry -> !entry.readOnly());
    }

    @Test
    void aBindOfSomethingElseIsReplaced() throws IOException {
        value(publish("dir", false));
        Files.move(volume.resolve("dir"), volume.resolve("moved"));
        machine.file("volume/dir/file", "another");
        value(publish("dir", false));
        assertThat(place().resolve("file")).hasContent("another");
        assertThat(machine.mountsAt(place())).hasSize(1);
    }

    @Test
    void otherVolumesOfThePodStay() {
        SubPaths other = new SubPaths(machine.context(), looks, pod, "other");
        value(publish("dir", false));
        value(other.publish(volume, List.of(new SubPathMount("main", 3, "dir", false))));
        value(subPaths.unpublish());
        assertThat(pod.resolve("volume-subpaths/other/main/3/file")).hasContent("inside");
        assertThat(place()).doesNotExist();
    }

    @Test
    void aKernelThatCannotConfineIsRefused() {
        var without = machine.context().with(HostServices.none());
        Outcome<?> answer = new SubPaths(without, looks, pod, "vol")
                .publish(volume, List.of(new SubPathMount("main", 0, "dir", false)));
        assertThat(kindOf(answer)).isEqualTo("UNSUPPORTED");
        assertThat(answer.message()).startsWith("subPath: ");
    }

    private Path mounted(String name, String source) {
        Path target = machine.directory(name);
        tool("mount", "-t", "tmpfs", "-o", "size=1m", source, target.toString());
        machine.directory(name + "/dir");
        return target;
    }

    private Outcome<?> show(HostServices host, Path target, String name) {
        RecordingCall context = machine.context().with(host);
        // the call has little time left, which the look does not outlast
        return new SubPaths(target.endsWith("dead") ? context.hurried() : context, looks, pod, name)
                .publish(target, List.of(new SubPathMount("main", 0, "dir", false)));
    }

    @Test
    void aServerThatDoesNotAnswerEndsTheCallAndHoldsUpNeitherOthersNorTheUndoing() {
        Path dead = mounted("dead", "10.9.9.9:/export");
        Path sibling = mounted("sibling", "10.9.9.9:/other");
        Path alive = mounted("alive", "10.1.1.1:/export");
        HangingFiles hanging = new HangingFiles(machine.host, dead);
        try {
            Outcome<?> first = show(hanging.host, dead, "first");
            assertThat(first.toString()).startsWith("Deferred");
            assertThat(first.message())
                    .isEqualTo("subPath \"dir\" of volume \"first\": server 10.9.9.9 does not answer");
            Outcome<?> again = show(hanging.host, dead, "first");
            assertThat(again.message()).contains("server 10.9.9.9 does not answer: an earlier look");
            value(show(hanging.host, alive, "second"));
            value(new SubPaths(machine.context().with(hanging.host), looks, pod, "first").unpublish());
            value(new SubPaths(machine.context().with(hanging.host), looks, pod, "second").unpublish());
            assertThat(hanging.looks()).isEqualTo(1);
        } finally {
            hanging.answer();
        }
        // it has a turn when the server is back: what came too late has changed nothing
        value(show(hanging.host, sibling, "third"));
        assertThat(pod.resolve("volume-subpaths/first")).doesNotExist();
    }

    /** Only a late thread could still hold the volume, and would keep it from being unmounted. */
    @Test
    void whatIsFoundTooLateIsLetGo() {
        Path dead = mounted("dead", "10.9.9.9:/export");
        HangingFiles hanging = new HangingFiles(machine.host, dead);
        assertThat(kindOf(show(hanging.host, dead, "first"))).isEqualTo("deferred");
        hanging.answer();
        SubPaths later = new SubPaths(machine.context().with(hanging.host), looks, pod, "first");
        value(later.publish(dead, List.of(new SubPathMount("main", 0, "dir", false))));
        value(new SubPaths(machine.context().with(hanging.host), looks, pod, "first").unpublish());
        tool("umount", dead.toString());
    }

    @Test
    void aContainerThatExchangesDirectoriesForLinksMeanwhileGainsNothing() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        Thread attacker = new Thread(() -> attack(stop), "attacker");
        attacker.start();
        int shown = 0;
        int round = 0;
        try {
            // More of them, if the attacker was not let do anything, or stood still in the middle of it.
            for (; round < ROUNDS || ((shown == 0 || shown == round) && round < MOST_ROUNDS); round++) {
                List<SubPathMount> wanted = List.of(
                        new SubPathMount("main", 0, "dir", false),
                        new SubPathMount("main", 1, "dir/made" + round % 7 + "/deep", false));
                // Each with a deadline of its own: all together take longer than one call may.
                subPaths = new SubPaths(machine.context(), looks, pod, "vol");
                if (subPaths.publish(volume, wanted).isDone()) {
                    shown++;
                }
                machine.mountsBelow(pod)
                        .forEach(entry -> assertThat(entry.root())
                                .as("round " + entry)
                                .contains(volume.toString())
                                .doesNotContain("outside"));
                value(subPaths.unpublish());
            }
        } finally {
            stop.set(true);
            attacker.join();
        }
        assertThat(outside).isDirectoryContaining("glob:**/file");
        try (var names = Files.list(outside)) {
            assertThat(names).hasSize(1);
        }
        assertThat(shown).as("rounds that met the directory").isBetween(1, round - 1);
    }

    /** Exchanges the directory for a link to the outside and back, as fast as it can. */
    private void attack(AtomicBoolean stop) {
        Path dir = volume.resolve("dir");
        Path away = volume.resolve("away");
        for (int i = 0; !stop.get(); i++) {
            try {
                Files.move(dir, away);
                Files.createSymbolicLink(dir, outside);
                Files.delete(dir);
                Files.move(away, dir);
            } catch (IOException e) {
                // the node has made the directory while its name was free
                retreat(dir, away, volume.resolve("junk" + i));
            }
        }
    }

    private static void retreat(Path dir, Path away, Path junk) {
        for (int i = 0; Files.isDirectory(away, LinkOption.NOFOLLOW_LINKS); i++) {
            try {
                Files.move(dir, Path.of(junk + "-" + i));
                Files.move(away, dir);
            } catch (IOException e) {
                // the node was faster again, or the name is free
                if (!Files.exists(dir, LinkOption.NOFOLLOW_LINKS)) {
                    tryMove(away, dir);
                }
            }
        }
    }

    private static void tryMove(Path from, Path to) {
        try {
            Files.move(from, to);
        } catch (IOException e) {
            // the next round tries again
        }
    }
}
