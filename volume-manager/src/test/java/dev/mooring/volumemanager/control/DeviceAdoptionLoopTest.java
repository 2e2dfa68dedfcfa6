// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.record.MemoryRecordLog;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.model.ContainerStatus;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.VolumeMode;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Devices that are held for pods without a record (semantics/attach-and-mount §3.7, §7.3). */
class DeviceAdoptionLoopTest extends AdoptionFixture<FakePlugin.Devices> {
    private static final String BACKEND = "/data/pv1";
    private static final String NAME = "example.com/fake/" + BACKEND;
    private static final ObjectKey POD = ObjectKey.of("ns", "web");
    private static final Path HELD = SmallCluster.ROOT
            .resolve("plugins/example.com/fake/volumeDevices")
            .resolve("data")
            .resolve("web-uid");

    DeviceAdoptionLoopTest() {
        super(new FakePlugin.Devices());
    }

    /** A pod has a volume as a device, which is attached and prepared; the device is bound to its file. */
    private void running() {
        PersistentVolume volume = SmallCluster.volume("pv1", "data");
        world.store.put(Kinds.NODE, SmallCluster.node());
        world.store.put(
                Kinds.PERSISTENT_VOLUME, volume.withSpec(volume.spec().withVolumeMode(Optional.of(VolumeMode.BLOCK))));
        world.store.put(Kinds.PERSISTENT_VOLUME_CLAIM, SmallCluster.claim("data", "pv1"));
        world.store.put(Kinds.POD, SmallCluster.pod("web", SmallCluster.claimed("v", "data")));
        world.attach(BACKEND);
        world.run();
        assertThat(world.calls).containsExactly("stage pv1", "publish pv1");
        world.calls.clear();
        mounted(Path.of("/dev"), "0:6", "/", "devtmpfs");
        mounted(HELD, "0:6", "/sda", "devtmpfs");
    }

    private void deletePodUnseen() {
        world.store.remove(Kinds.POD, POD);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPodThatIsStillThereKeepsItsDevice(boolean recognised) {
        running();
        if (recognised) {
            plugin.mine.put(HELD, SmallCluster.source(BACKEND));
        }
        List<RecordEntry> before = world.standing();
        restartWithoutRecords();
        assertThat(world.found.left()).isEmpty();
        assertThat(world.found.unclear()).isEmpty();
        assertThat(world.standing().stream().map(RecordEntry::key))
                .containsExactlyInAnyOrderElementsOf(
                        before.stream().map(RecordEntry::key).toList());
        assertThat(world.standing())
                .anySatisfy(entry -> assertThat(pathOf(entry)).isEqualTo(HELD));

        world.run();
        // the plugin is asked whether what the pod sees is the volume
        assertThat(world.calls).containsExactly("publish pv1");
        assertThat(phases()).containsExactly(RecordPhase.DONE, RecordPhase.DONE);
        assertThat(inUse()).containsExactly(NAME);
        assertThat(world.violations).isEmpty();
    }

    @Test
    void underAContainerThatRunsNothingIsMappedAnew() {
        running();
        world.store.put(
                Kinds.POD,
                world.store
                        .get(Kinds.POD, POD)
                        .map(pod -> pod.withStatus(pod.status()
                                .withContainerStatuses(
                                        List.of(new ContainerStatus("main", ContainerStatus.State.EMPTY)))))
                        .orElseThrow());
        restartWithoutRecords();
        assertThat(phases()).containsExactly(RecordPhase.DONE, RecordPhase.DONE);
        world.run();
        assertThat(world.calls).doesNotContain("stage pv1");
        assertThat(world.violations).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatAPodHadThatIsGoneIsUndoneInOrder(boolean named) {
        running();
        deletePodUnseen();
        if (!named) {
            plugin.mine.put(HELD, SmallCluster.source(BACKEND));
            world.store.remove(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("pv1"));
            world.mounted.clear(); // this world knows what a pod has by its link, whose name is unknown
        }
        restartWithoutRecords();
        world.run();
        assertThat(world.calls)
                .hasSize(2)
                .satisfies(calls -> assertThat(calls.get(0)).startsWith("unpublish "))
                .satisfies(calls -> assertThat(calls.get(1)).startsWith("unstage "));
        assertThat(world.standing()).isEmpty();
        assertThat(inUse()).isEmpty();
        assertThat(world.violations).isEmpty();
    }

    /** Where a device that no object names is held: the name of its place looks like a pod's. */
    private static final Path UNNAMED = HELD.resolveSibling("0b7f3a52-91cd-4a70-8e5e-6f1d2c3b4a59");

    private void theVolumeIsUnknown() {
        deletePodUnseen();
        world.store.remove(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("pv1"));
        table.removeIf(entry -> entry.mountPoint().equals(HELD));
    }

    @Test
    void aDeviceThatNoObjectNamesIsLetGo() {
        running();
        theVolumeIsUnknown();
        mounted(UNNAMED, "0:6", "/sda", "devtmpfs");
        restartWithoutRecords();
        assertThat(world.found.unnamed()).singleElement().satisfies(unnamed -> {
            assertThat(unnamed.device()).isTrue();
            assertThat(unnamed.mount().mountPoint()).isEqualTo(UNNAMED);
        });
        world.run();
        assertThat(world.calls).containsExactly("take-away ");
        assertThat(inUse()).as("which volume it was is not known (S5)").containsExactly(NAME);
        assertThat(world.eventReasons())
                .filteredOn(event -> event.startsWith("UnknownMountRemoved: "))
                .singleElement()
                .asString()
                .contains("stays so until the next start");
    }

    @Test
    void whatBearsNoNameLikeAPodsIsLeftAlone() {
        running();
        theVolumeIsUnknown();
        mounted(HELD.resolveSibling("another-programs"), "0:6", "/sda", "devtmpfs");
        restartWithoutRecords();
        assertThat(world.found.unnamed()).isEmpty();
        assertThat(world.found.left()).hasSize(1);
    }

    /** Each is held by a loop device of its own (semantics/plugins §1.7). */
    @Test
    void ofTwoThatNoObjectNamesBothAreLetGo() {
        running();
        theVolumeIsUnknown();
        mounted(UNNAMED, "0:6", "/sda", "devtmpfs");
        mounted(HELD.resolveSibling("1c8f3a52-91cd-4a70-8e5e-6f1d2c3b4a59"), "0:6", "/sda", "devtmpfs");
        restartWithoutRecords();
        assertThat(world.found.left()).isEmpty();
        world.run();
        assertThat(world.calls).containsExactly("take-away ", "take-away ");
    }

    @Test
    void ofADeviceThatAnotherPodHasOnlyTheOneThatNoObjectNamesIsLetGo() {
        running();
        mounted(UNNAMED, "0:6", "/sda", "devtmpfs");
        world.store.remove(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("pv1"));
        restartWithoutRecords();
        assertThat(world.found.unnamed())
                .extracting(unnamed -> unnamed.mount().mountPoint())
                .containsExactly(UNNAMED);
        assertThat(world.found.left()).singleElement().asString().contains(HELD.toString());
    }

    @Test
    void aFileSystemWhereADeviceShouldBeIsLeftAlone() {
        running();
        table.clear();
        mounted(HELD, "8:7");
        deletePodUnseen();
        restartWithoutRecords();
        assertThat(world.found.adopted()).isEmpty();
        assertThat(world.found.unnamed()).isEmpty();
        assertThat(world.found.left()).singleElement().asString().contains("and is not one");
        world.run();
        assertThat(world.calls).isEmpty();
    }

    @Test
    void aSearchThatWasCutOffIsGoneOnWith() {
        running();
        List<RecordEntry> written = world.standing();
        world.log = new MemoryRecordLog();
        RecordEntry stage = written.stream()
                .filter(entry -> entry.match(publish -> false, found -> true))
                .findFirst()
                .orElseThrow();
        world.log.append(stage);
        assertThat(search().result().orElseThrow().adopted()).hasSize(1);
        assertThat(world.standing()).hasSize(2);
    }

    @Test
    void aDeviceInTheDirectoryOfAnEarlierKubeletIsThatVolume() {
        running();
        table.removeIf(entry -> entry.mountPoint().equals(HELD));
        Path escaped = SmallCluster.ROOT.resolve("plugins/example.com~fake/volumeDevices/data/web-uid");
        mounted(escaped, "0:6", "/sda", "devtmpfs");
        deletePodUnseen();
        restartWithoutRecords();
        assertThat(world.standing())
                .anySatisfy(entry -> assertThat(pathOf(entry)).isEqualTo(escaped));
        world.run();
        assertThat(world.calls).containsExactly("unpublish pv1", "unstage pv1");
        assertThat(world.standing()).isEmpty();
    }
}
