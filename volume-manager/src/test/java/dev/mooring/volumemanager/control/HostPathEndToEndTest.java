// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.plugin.hostpath.HostPathPlugin;
import dev.mooring.runtime.plugin.NodeIntent;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.HostPathSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.calls.NodeCallHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pod is shown a real directory of this machine by the real plugin, and it is taken away again. */
class HostPathEndToEndTest {
    private static final ObjectKey POD = ObjectKey.of("ns", "web");

    @TempDir
    private Path temp;

    private Path root;
    private Path data;
    private NodeWorld world;

    @BeforeEach
    void prepare() throws IOException {
        root = Files.createDirectories(temp.resolve("kubelet"));
        data = Files.createDirectories(temp.resolve("data"));
        Files.writeString(data.resolve("greeting"), "hello");
        Optional<LinuxHost> host = LinuxHost.ofThisMachine(new LinuxHostLayout(
                temp.resolve("state"), temp.resolve("orphans"), KeptPlaces.in(temp.resolve("places"))));
        assumeThat(host).as("Linux on x86_64 or aarch64").isPresent();
        for (HostFeature feature : List.of(HostFeature.ROOT, HostFeature.RESOLVE_RULES, HostFeature.ATOMIC_BIND)) {
            assumeThat(host.get().capabilities().whyMissing(feature))
                    .as("why this process cannot mount")
                    .isEmpty();
        }
        HostPathPlugin plugin = new HostPathPlugin();
        NodeConfig config = NodeConfig.standalone(SmallCluster.NODE, "boot-1", root);
        world = new NodeWorld(plugin, config);
        world.handler = Optional.of(new NodeCallHandler(
                config.node(), root, new PluginRegistry(List.of(plugin)), world.log, host.get(), Secrets.NONE));
        world.store.put(Kinds.NODE, SmallCluster.node());
        world.store.put(Kinds.PERSISTENT_VOLUME, onThisMachine(SmallCluster.volume("pv1", "data")));
        world.store.put(Kinds.PERSISTENT_VOLUME_CLAIM, SmallCluster.claim("data", "pv1"));
        world.store.put(Kinds.POD, SmallCluster.pod("web", SmallCluster.claimed("v", "data")));
    }

    private PersistentVolume onThisMachine(PersistentVolume volume) {
        return volume.withSpec(
                volume.spec().withSource(Optional.of(new HostPathSource(data.toString(), "Directory").toSource())));
    }

    private void deletePod() {
        Pod pod = world.store.get(Kinds.POD, POD).orElseThrow();
        world.store.put(Kinds.POD, pod.withMetadata(pod.metadata().withDeletionTimestamp(Optional.of(Instant.EPOCH))));
    }

    private Path target() {
        return root.resolve("pods/web-uid/volumes/kubernetes.io~host-path/pv1");
    }

    @Test
    void mountsForThePodAndCleansUpBehindIt() {
        world.run();

        assertThat(world.eventReasons()).isEmpty();
        assertThat(target().resolve("greeting")).hasContent("hello");
        assertThat(mountTable()).contains(target().toString());
        assertThat(world.store.get(Kinds.POD, POD).orElseThrow().status().phase())
                .isEqualTo(PodPhase.RUNNING);

        deletePod();
        world.run();

        assertThat(mountTable()).doesNotContain(target().toString());
        assertThat(root.resolve("pods")).isEmptyDirectory();
        assertThat(data.resolve("greeting")).hasContent("hello");
        assertThat(world.store.get(Kinds.POD, POD)).isEmpty();
        assertThat(world.standing()).isEmpty();
    }

    @Test
    void aProcessThatDiesInTheMiddleLeavesNoMountBehind() {
        for (int crash = 0; crash < 9; crash++) {
            world.effects = 0;
            world.dieAt = crash;
            world.dieAfter = crash % 2 == 0;
            world.store.put(Kinds.POD, SmallCluster.pod("web", SmallCluster.claimed("v", "data")));
            world.run();
            assertThat(mountsAt(target())).as("crash at effect %d", crash).isEqualTo(1);
            deletePod();
            world.run();
            assertThat(mountsAt(target())).as("crash at effect %d", crash).isZero();
            assertThat(root.resolve("pods")).as("crash at effect %d", crash).isEmptyDirectory();
        }
    }

    @Test
    void whatAnotherProgramPutIntoThePodsDirectoryStays() throws IOException {
        world.run();
        Path foreign = Files.writeString(root.resolve("pods/web-uid/notes"), "mine");
        deletePod();

        world.run();

        assertThat(foreign).hasContent("mine");
        assertThat(root.resolve("pods/web-uid/volumes")).doesNotExist();
        assertThat(world.standing()).isEmpty();
    }

    @Test
    void recyclesOnlyWhenThePodIsGone() {
        world.run();
        PersistentVolume released = onThisMachine(SmallCluster.released("pv1", "data", ReclaimPolicy.RECYCLE));
        world.store.put(
                Kinds.PERSISTENT_VOLUME,
                NodeIntent.labelled(released.withMetadata(released.metadata()
                        .withAnnotation(Annotations.RECLAIMING, "data-uid")
                        .withAnnotation(NodeIntent.RECLAIM_ON, "n1"))));
        world.run();
        assertThat(result()).startsWith("deferred ");
        assertThat(data.resolve("greeting")).exists();

        deletePod();
        world.run();
        PersistentVolume volume = volume();
        world.store.put(
                Kinds.PERSISTENT_VOLUME,
                volume.withMetadata(volume.metadata().withoutAnnotation(NodeIntent.RECLAIM_RESULT)));
        world.run();

        assertThat(result()).isEqualTo("done data-uid");
        assertThat(data).isEmptyDirectory();
    }

    private PersistentVolume volume() {
        return world.store
                .get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("pv1"))
                .orElseThrow();
    }

    private String result() {
        return volume().metadata().annotation(NodeIntent.RECLAIM_RESULT).orElse("");
    }

    private static String mountTable() {
        try {
            return Files.readString(Path.of("/proc/self/mountinfo"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long mountsAt(Path target) {
        try (Stream<String> lines = mountTable().lines()) {
            return lines.filter(line -> line.contains(" " + target + " ")).count();
        }
    }
}
