// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import static dev.mooring.volumemanager.machine.Playground.modeAndGroup;
import static dev.mooring.volumemanager.machine.Playground.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.EnvVar;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSecurityContext;
import dev.mooring.storage.model.PodSpec;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.VolumeMount;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.calls.NodeCallHandler;
import dev.mooring.volumemanager.directory.EmptyDirVolumes;
import dev.mooring.volumemanager.machine.Playground;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A node that dies at any of its effects shows a pod its emptyDir, given to its group, with a sub-path, and takes all away again. */
class HostVolumesCrashTest {
    private static final ObjectKey POD = ObjectKey.of("ns", "web");

    private Playground machine;
    private Path root;
    private NodeWorld world;

    @BeforeEach
    void prepare() {
        machine = new Playground(
                HostFeature.ROOT, HostFeature.RESOLVE_RULES, HostFeature.MOUNT_IDENTITY, HostFeature.ATOMIC_BIND);
        root = machine.directory("kubelet");
        NodeConfig config = NodeConfig.standalone(SmallCluster.NODE, "boot-1", root);
        EmptyDirVolumes plugin = new EmptyDirVolumes();
        world = new NodeWorld(plugin, config);
        world.handler = Optional.of(new NodeCallHandler(
                config.node(), root, new PluginRegistry(List.of(plugin)), world.log, machine.host, Secrets.NONE));
        world.store.put(Kinds.NODE, SmallCluster.node());
    }

    @AfterEach
    void cleans() throws IOException {
        if (machine != null) {
            machine.close();
        }
    }

    private static Pod pod() {
        VolumeMount whole = new VolumeMount("scratch", "/s", false, "", "", Optional.empty());
        VolumeMount part = new VolumeMount("scratch", "/p", true, "deep/part", "", Optional.empty());
        PodVolume volume = new PodVolume("scratch", Optional.of(new VolumeSource("emptyDir", Document.of(Map.of()))));
        Pod pod = SmallCluster.pod("web", volume);
        PodSpec spec = pod.spec()
                .withContainers(List.of(new Container("main", "image", List.of(whole, part), List.of())))
                .withSecurityContext(Optional.of(PodSecurityContext.EMPTY.withFsGroup(Optional.of(4711L))));
        return pod.withSpec(spec);
    }

    private void deletePod() {
        Pod pod = world.store.get(Kinds.POD, POD).orElseThrow();
        world.store.put(Kinds.POD, pod.withMetadata(pod.metadata().withDeletionTimestamp(Optional.of(Instant.EPOCH))));
    }

    @Test
    void aProcessThatDiesInTheMiddleLeavesNothingBehind() throws IOException {
        Path part = root.resolve("pods/web-uid/volume-subpaths/scratch/main/1");
        Path target = root.resolve("pods/web-uid/volumes/kubernetes.io~empty-dir/scratch");
        for (int crash = 0; crash < 8; crash++) {
            world.effects = 0;
            world.dieAt = crash;
            world.dieAfter = crash % 2 == 0;
            world.store.put(Kinds.POD, pod());
            world.run();
            assertThat(machine.mountsAt(part)).as("crash at effect %d", crash).hasSize(1);
            assertThat(machine.mountsAt(part).get(0).readOnly()).isTrue();
            assertThat(modeAndGroup(target)).isEqualTo("2777 4711");
            deletePod();
            world.run();
            assertThat(machine.mountsBelow(root))
                    .as("crash at effect %d", crash)
                    .isEmpty();
            assertThat(root.resolve("pods")).as("crash at effect %d", crash).isEmptyDirectory();
            assertThat(world.standing()).isEmpty();
        }
    }

    /** How a node may stop and come back. */
    enum Stop {
        RESTART,
        POWER_CUT,
        SHUTDOWN,
        SHUTDOWN_THAT_IS_CUT_OFF
    }

    private void stop(Stop stop) {
        if (stop == Stop.SHUTDOWN || stop == Stop.SHUTDOWN_THAT_IS_CUT_OFF) {
            world.signals.shutdown().begins();
        }
        if (stop == Stop.SHUTDOWN) {
            boolean lives = world.dieAt < 0;
            world.run();
            assertThat(lives && !machine.mountsBelow(root).isEmpty())
                    .as("something stays mounted")
                    .isFalse();
        }
        if (stop == Stop.RESTART) {
            world.restart();
            return;
        }
        machine.unmountBelow(root);
        world.reboot();
    }

    /** A pod's emptyDir is set up once: content, mode and group stay, and only mounts are made again. */
    @ParameterizedTest(name = "{0}")
    @EnumSource
    void whatThePodHasWrittenStaysAsLongAsThePodWhereverTheProcessDies(Stop stop) throws IOException {
        Path part = root.resolve("pods/web-uid/volume-subpaths/scratch/main/1");
        Path target = root.resolve("pods/web-uid/volumes/kubernetes.io~empty-dir/scratch");
        for (int crash = -1; crash < 8; crash++) {
            String story = stop + ", crash at effect " + crash;
            world.dieAt = -1;
            world.store.put(Kinds.POD, pod());
            world.run();
            Files.writeString(target.resolve("file"), "kept");
            Files.setAttribute(target.resolve("file"), "unix:gid", 12);
            Files.setAttribute(target, "unix:mode", 0700);

            world.effects = 0;
            world.dieAt = crash;
            world.dieAfter = crash % 2 == 0;
            stop(stop);
            world.run();
            world.dieAt = -1;
            world.run();

            assertThat(target.resolve("file")).as(story).hasContent("kept");
            assertThat(modeAndGroup(target.resolve("file"))).as(story).endsWith(" 12");
            assertThat(modeAndGroup(target)).as(story).isEqualTo("700 4711");
            assertThat(machine.mountsAt(part)).as(story).hasSize(1);
            assertThat(machine.mountsAt(part).get(0).readOnly()).isTrue();

            deletePod();
            world.run();
            assertThat(machine.mountsBelow(root)).as(story).isEmpty();
            assertThat(root.resolve("pods")).as(story).isEmptyDirectory();
            assertThat(world.standing()).as(story).isEmpty();
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void aPodThatEndsWhileTheNodeIsAwayLeavesNothingBehind(Stop stop) throws IOException {
        world.store.put(Kinds.POD, pod());
        world.run();
        Files.writeString(
                root.resolve("pods/web-uid/volumes/kubernetes.io~empty-dir/scratch/file"), "of a pod that ends");

        stop(stop);
        world.store.remove(Kinds.POD, POD);
        world.run();

        assertThat(machine.mountsBelow(root)).isEmpty();
        assertThat(root.resolve("pods")).isEmptyDirectory();
        assertThat(world.standing()).isEmpty();
    }

    /** As Kubernetes does, with a word in its log. */
    @Test
    void aDirectoryThatAnotherProgramRemovedIsMadeAgainForThePodsGroup() throws IOException {
        Path target = root.resolve("pods/web-uid/volumes/kubernetes.io~empty-dir/scratch");
        world.store.put(Kinds.POD, pod());
        world.run();

        machine.unmountBelow(root);
        tool("rm", "-r", target.toString());
        world.reboot();
        world.run();

        assertThat(modeAndGroup(target)).isEqualTo("2777 4711");
        deletePod();
        world.run();
        assertThat(root.resolve("pods")).isEmptyDirectory();
    }

    @Test
    void aSubPathWithAVariableThatHasNoValueIsRefusedAndToldOf() {
        Pod pod = pod();
        VolumeMount variable = new VolumeMount("scratch", "/v", false, "", "$(POD_NAME)", Optional.empty());
        world.store.put(
                Kinds.POD,
                pod.withSpec(pod.spec()
                        .withContainers(List.of(new Container("main", "image", List.of(variable), List.of())))));
        world.run();
        assertThat(world.events)
                .singleElement()
                .asString()
                .contains("subPathExpr")
                .contains("$(POD_NAME)")
                .contains("missing value for POD_NAME");
        assertThat(machine.mountsBelow(root)).isEmpty();
    }

    @Test
    void aSubPathWithVariablesIsShown() {
        Pod pod = pod();
        VolumeMount variable = new VolumeMount("scratch", "/v", false, "", "of/$(POD_NAME)", Optional.empty());
        EnvVar name = new EnvVar(
                "POD_NAME", "", Optional.of(Document.of(Map.of("fieldRef", Map.of("fieldPath", "metadata.name")))));
        world.store.put(
                Kinds.POD,
                pod.withSpec(pod.spec()
                        .withContainers(List.of(
                                new Container("main", "image", List.of(variable), List.of()).withEnv(List.of(name))))));
        world.run();
        assertThat(world.events).isEmpty();
        Path part = root.resolve("pods/web-uid/volume-subpaths/scratch/main/0");
        assertThat(machine.mountsAt(part))
                .singleElement()
                .satisfies(mount -> assertThat(mount.root())
                        .endsWith("/of/" + pod.metadata().name()));
    }
}
