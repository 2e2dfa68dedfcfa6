// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.plugin.support.Sha256;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.Reconstructing;
import dev.mooring.storage.spi.StageRequest;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.MountEntry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** This machine with a real initiator and real targets, for tests in a guest; elsewhere they are skipped. */
final class IscsiMachine {
    static final PodRef POD = new PodRef("ns", "pod", "pod-uid");

    final Path base;
    final LinuxHost host;
    final IscsiPlugin plugin = new IscsiPlugin();
    final Map<String, String> secret = new TreeMap<>();
    final List<String> said = new ArrayList<>();
    private final Map<String, Map<String, String>> notes;
    private NodeRef self = new NodeRef("node-1", "node-uid-1");

    /** Skips the test, with the reason, where there is no guest. */
    IscsiMachine() {
        this(new TreeMap<>());
    }

    /** Another node of the same cluster, on the same kernel. */
    IscsiMachine(IscsiMachine other, NodeRef self) {
        this(other.notes);
        this.self = self;
    }

    private IscsiMachine(Map<String, Map<String, String>> notes) {
        this.notes = notes;
        assumeTrue(kit().isPresent(), "needs the guest's services");
        try {
            base = Files.createTempDirectory("mooring-iscsi").toRealPath();
            Files.createDirectories(base.resolve("state"));
            Files.createDirectories(base.resolve("pods"));
            Files.createDirectories(base.resolve("staged"));
            // a disk of an earlier test is not this one's
            for (String name : names("/tmp")) {
                if (name.startsWith("disk") || name.equals("another")) {
                    Files.deleteIfExists(Path.of("/tmp", name));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        host = LinuxHost.ofThisMachine(new LinuxHostLayout(
                        base.resolve("state"), base.resolve("orphans"), KeptPlaces.in(base.resolve("places"))))
                .orElseThrow();
        service("iscsi-start");
    }

    private static Optional<Path> kit() {
        return Stream.of(System.getenv("PATH").split(":"))
                .flatMap(directory -> Stream.of("services", "services.sh").map(name -> Path.of(directory, name)))
                .filter(file -> Files.isExecutable(file) && Files.exists(Path.of("/proc/sys")))
                .findFirst();
    }

    /** Output is not read: the daemons that are started keep it open. */
    static void service(String... words) {
        serviceAt(Volumes.PORTAL, words);
    }

    /** The same for targets that listen at these addresses. */
    static void serviceAt(String portals, String... words) {
        Path kit = kit().orElseThrow();
        List<String> all = new ArrayList<>(List.of(kit.toString()));
        all.addAll(List.of(words));
        if (kit.endsWith("services")) {
            all.set(1, words[0].replaceFirst("^lio-", "target-"));
        }
        try {
            ProcessBuilder builder = new ProcessBuilder(all).inheritIO();
            builder.environment().put("PORTALS", portals);
            assertThat(builder.start().waitFor()).as(all.toString()).isZero();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    InitiatorCall context(AtomicReference<PluginState> record, String volume) {
        return InitiatorCall.of(
                host,
                self,
                InstantSource.system(),
                record,
                new FakeNotes(notes.computeIfAbsent(volume, name -> new TreeMap<>()), new FakeNotes.Server()),
                said,
                secret);
    }

    Map<String, String> notes(VolumeSpec volume) {
        return notes.computeIfAbsent(id(volume), name -> new TreeMap<>());
    }

    private String id(VolumeSpec volume) {
        return plugin.identify(volume.source()).toString();
    }

    Path staging(VolumeSpec volume) {
        return base.resolve("staged").resolve(Sha256.hex(id(volume)).substring(0, 8));
    }

    Outcome<PluginState> stage(VolumeSpec volume) {
        return stage(volume, false);
    }

    Outcome<PluginState> stage(VolumeSpec volume, boolean readOnly) {
        return stage(volume, readOnly, Map.of());
    }

    Outcome<PluginState> stage(VolumeSpec volume, boolean readOnly, Map<String, String> attached) {
        make(staging(volume));
        return plugin.stage(
                context(new AtomicReference<>(PluginState.NONE), id(volume)),
                new StageRequest(volume, staging(volume), attached, readOnly));
    }

    Outcome<PluginState> complete(VolumeSpec volume, PluginState state) {
        return plugin.complete(
                context(new AtomicReference<>(PluginState.NONE), id(volume)),
                new StageRequest(volume, staging(volume), Map.of(), false),
                state);
    }

    Outcome<PluginState> stageAt(VolumeSpec volume, Path directory) {
        return plugin.stage(
                context(new AtomicReference<>(PluginState.NONE), id(volume)),
                new StageRequest(volume, directory, Map.of(), false));
    }

    Outcome<Nothing> unstageAt(VolumeSpec volume, Path directory, PluginState state) {
        return plugin.unstage(
                context(new AtomicReference<>(PluginState.NONE), id(volume)),
                plugin.identify(volume.source()),
                directory,
                state);
    }

    Outcome<Reconstructing.Adopted> reconstruct(VolumeSpec volume, Path directory) {
        return plugin.reconstruct(context(new AtomicReference<>(PluginState.NONE), id(volume)), directory);
    }

    Outcome<Quantity> expand(VolumeSpec volume, Quantity wanted) {
        return plugin.expandOnNode(
                context(new AtomicReference<>(PluginState.NONE), id(volume)), volume, staging(volume), wanted);
    }

    Outcome<Nothing> unstage(VolumeSpec volume, PluginState state) {
        return plugin.unstage(
                context(new AtomicReference<>(PluginState.NONE), id(volume)),
                plugin.identify(volume.source()),
                staging(volume),
                state);
    }

    Outcome<PluginState> publishFrom(VolumeSpec volume, String pod, Path directory) {
        return plugin.publish(
                context(new AtomicReference<>(PluginState.NONE), id(volume)),
                new PublishRequest(
                        volume, POD, target(pod), Optional.of(directory), false, PublishRequest.Occasion.INITIAL));
    }

    Outcome<PluginState> publish(VolumeSpec volume, String pod, boolean readOnly) {
        return plugin.publish(
                context(new AtomicReference<>(PluginState.NONE), id(volume)),
                new PublishRequest(
                        volume,
                        POD,
                        target(pod),
                        Optional.of(staging(volume)),
                        readOnly,
                        PublishRequest.Occasion.INITIAL));
    }

    Outcome<Nothing> unpublish(VolumeSpec volume, String pod, PluginState state) {
        return plugin.unpublish(
                context(new AtomicReference<>(PluginState.NONE), id(volume)),
                plugin.identify(volume.source()),
                POD,
                target(pod),
                state);
    }

    Path target(String pod) {
        return base.resolve("pods").resolve(pod);
    }

    BlockDevice device(VolumeSpec volume) {
        Path path = value(plugin.map(
                context(new AtomicReference<>(PluginState.NONE), id(volume)),
                new PublishRequest(
                        volume,
                        POD,
                        target("block"),
                        Optional.of(staging(volume)),
                        false,
                        PublishRequest.Occasion.INITIAL)));
        return value(host.blockDevices().find(path));
    }

    List<MountEntry> mounts() {
        return value(host.mounts().table()).below(base);
    }

    /** What a volume could leave behind on the machine. */
    static List<String> traces() {
        List<String> traces = new ArrayList<>();
        names("/sys/class/iscsi_session").forEach(name -> traces.add("session " + name));
        for (String directory : List.of("/etc/iscsi/nodes", "/etc/iscsi/ifaces", "/etc/iscsi/send_targets")) {
            names(directory).forEach(name -> traces.add("record " + name));
        }
        names("/sys/block").stream()
                .filter(name -> name.startsWith("sd") || name.startsWith("dm-"))
                .forEach(name -> traces.add("device " + name));
        return traces;
    }

    List<String> ledger() {
        return names(base.resolve("state/iscsi/volumes").toString());
    }

    static List<String> names(String directory) {
        if (!Files.isDirectory(Path.of(directory))) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(Path.of(directory))) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static <T> T value(Outcome<T> outcome) {
        assertThat(outcome.isDone()).as(outcome::toString).isTrue();
        return outcome.result().orElseThrow();
    }

    /** {@code done}, the refusal, or the kind of the outcome. */
    static String answer(Outcome<?> outcome) {
        return outcome.match(
                done -> "done",
                refused -> refused.refusal().toString(),
                uncertain -> "uncertain",
                deferred -> "deferred",
                elsewhere -> "elsewhere");
    }

    static String tool(String... words) {
        String[] result = attempt(words);
        assertThat(result[0]).as(String.join(" ", words) + ": " + result[1]).isEqualTo("0");
        return result[1];
    }

    /** Exit status and output. */
    static String[] attempt(String... words) {
        try {
            Process process =
                    new ProcessBuilder(words).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new String[] {Integer.toString(process.waitFor()), output};
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static void make(Path directory) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
