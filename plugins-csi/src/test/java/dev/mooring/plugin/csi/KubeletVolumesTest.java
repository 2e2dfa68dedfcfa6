// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.model.ContainerStatus;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that begins where another program, such as a kubelet, has mounted volumes of a driver: its log tells of nothing. */
class KubeletVolumesTest {
    private static final ObjectKey NODE = ObjectKey.cluster(DriverWorld.NODE);

    @TempDir
    private Path temp;

    private FakeDriver driver;
    private DriverWorld world;

    @BeforeEach
    void start() throws Exception {
        driver = new FakeDriver(temp.resolve("csi.sock"));
        world = new DriverWorld(temp.resolve("root"), Map.of(FakeDriver.NAME, driver.endpoint()));
        driver.mounts = Optional.of(MountingDriver.on(world.host()));
        world.createClass(Map.of());
        world.createClaim("1Gi");
        world.createPod();
        world.await("a running pod", world::podRuns);
        world.replaceNode();
    }

    @AfterEach
    void close() {
        world.close();
        driver.close();
    }

    private long calls(String name) {
        return driver.called().stream().filter(name::equals).count();
    }

    private List<RecordPhase> phases() {
        return RecordLog.standing(world.records.replay()).values().stream()
                .map(RecordEntry::phase)
                .toList();
    }

    private void removePod() {
        Pod pod = world.store.get(Kinds.POD, DriverWorld.POD).orThrow();
        world.store
                .delete(
                        Kinds.POD,
                        DriverWorld.POD,
                        DeleteOptions.ofUid(pod.metadata().uid()).withGracePeriodSeconds(0))
                .orThrow();
    }

    private List<String> undone() {
        return driver.called().stream()
                .filter(call -> call.startsWith("NodeUn"))
                .toList();
    }

    private boolean isInUse() {
        Node node = world.store.get(Kinds.NODE, NODE).orThrow();
        return !node.status().volumesInUse().isEmpty();
    }

    /** As a container runtime would; a state that says nothing counts as running. */
    private void runContainer() {
        Pod pod = world.store.get(Kinds.POD, DriverWorld.POD).orThrow();
        ContainerStatus running = new ContainerStatus("main", ContainerStatus.State.EMPTY);
        world.store
                .updateStatus(
                        Kinds.POD,
                        new Change<>(pod, pod.withStatus(pod.status().withContainerStatuses(List.of(running)))))
                .orThrow();
    }

    @Test
    void thoseOfAPodThatRunsGoOnMounted() {
        runContainer();
        world.startNode();
        assertThat(phases()).containsExactlyInAnyOrder(RecordPhase.DONE, RecordPhase.DONE);
        world.settleNode();
        assertThat(calls("NodePublishVolume")).isEqualTo(1);
        assertThat(calls("NodeStageVolume")).isEqualTo(1);
        assertThat(undone()).isEmpty();
        assertThat(isInUse()).isTrue();

        removePod();
        world.deleteClaim();
        world.await("nothing in the driver", driver::isEmpty);
        assertThat(undone()).containsExactly("NodeUnpublishVolume", "NodeUnstageVolume");
    }

    @Test
    void thoseOfAPodThatIsGoneAreUnmountedInOrder() {
        removePod();
        world.startNode();
        world.await("nothing on the node", () -> driver.staged.isEmpty() && phases().isEmpty());
        assertThat(undone()).containsExactly("NodeUnpublishVolume", "NodeUnstageVolume");
    }

    @Test
    void oneWhoseObjectsAreGoneIsKnownByTheFileBesideIt() {
        removePod();
        String volume = world.claim().spec().volumeName();
        world.store
                .delete(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(volume), DeleteOptions.DEFAULT)
                .orThrow();
        world.startNode();
        world.await("nothing on the node", () -> driver.staged.isEmpty() && phases().isEmpty());
        assertThat(undone()).containsExactly("NodeUnpublishVolume", "NodeUnstageVolume");
    }

    @Test
    void oneThatTheFileCallsAnotherVolumeIsLeftAloneAndTold() {
        Path target = world.host().mounts().table().result().orElseThrow().entries().stream()
                .map(entry -> entry.mountPoint())
                .filter(place -> place.endsWith("mount"))
                .findFirst()
                .orElseThrow();
        byte[] other = ("{\"driverName\":\"" + FakeDriver.NAME + "\",\"volumeHandle\":\"another\"}")
                .getBytes(StandardCharsets.UTF_8);
        world.host()
                .files()
                .open(target.getParent(), LinkRule.REFUSE)
                .then(place -> place.writeFile("vol_data.json", other, 0644))
                .orThrow();
        world.startNode();
        world.await(
                "an event",
                () -> world.messages().stream()
                        .anyMatch(text -> text.contains("is left alone: it is kubernetes.io/csi")));
        assertThat(undone()).isEmpty();
    }
}
