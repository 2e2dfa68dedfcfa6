// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.plugin.NodeIntent;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.TypedObjectReference;
import dev.mooring.storage.model.VolumeSnapshot;
import dev.mooring.storage.model.VolumeSnapshotSpec;
import dev.mooring.storage.model.VolumeSnapshotStatus;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.volumemanager.calls.UnpublishCall;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What an agent follows of a cluster. */
class NeededObjectsTest {
    private static final Set<String> ALWAYS =
            Set.of("Node  metadata.name=n1", "PersistentVolume  {mooring.dev/work-on=n1}", "Pod  spec.nodeName=n1");
    private static final String CLAIM = "PersistentVolumeClaim ns metadata.name=data";
    private static final String VOLUME = "PersistentVolume  metadata.name=pv1";

    private final NodeWorld world = NodeWorld.withNode();

    private void podWithAVolume() {
        world.store.put(Kinds.PERSISTENT_VOLUME, SmallCluster.volume("pv1", "data"));
        world.store.put(Kinds.PERSISTENT_VOLUME_CLAIM, SmallCluster.claim("data", "pv1"));
        world.store.put(Kinds.POD, SmallCluster.pod("web", SmallCluster.claimed("v", "data")));
    }

    private void podGoes() {
        ObjectKey key = ObjectKey.of("ns", "web");
        world.store.remove(Kinds.POD, key);
    }

    @Test
    void anAgentFollowsWhatItsPodsNeedAndNothingElse() {
        for (int i = 0; i < 20; i++) {
            world.store.put(Kinds.PERSISTENT_VOLUME, SmallCluster.volume("other" + i, "other" + i));
            world.store.put(Kinds.PERSISTENT_VOLUME_CLAIM, SmallCluster.claim("other" + i, "other" + i));
            Pod pod = SmallCluster.pod("other" + i, SmallCluster.claimed("v", "other" + i));
            world.store.put(Kinds.POD, pod.withSpec(pod.spec().withNodeName("n2")));
        }
        world.run();
        assertThat(world.followed()).isEqualTo(ALWAYS);

        podWithAVolume();
        world.run();
        assertThat(world.mounts).hasSize(1);
        assertThat(world.followed()).containsAll(ALWAYS).contains(CLAIM, VOLUME).hasSize(ALWAYS.size() + 2);

        podGoes();
        world.run();
        assertThat(world.mounts).isEmpty();
        assertThat(world.followed()).isEqualTo(ALWAYS);
    }

    @Test
    void aVolumeIsKnownUntilItIsUnmountedAlsoAfterARestart() {
        podWithAVolume();
        world.run();
        world.faults =
                call -> call instanceof UnpublishCall ? Optional.of(Outcome.uncertain("hangs")) : Optional.empty();
        podGoes();
        world.run(5);
        assertThat(world.followed()).contains(CLAIM, VOLUME);

        world.restart();
        world.run(5);
        assertThat(world.followed()).contains(CLAIM, VOLUME);

        world.faults = call -> Optional.empty();
        world.run();
        assertThat(world.mounts).isEmpty();
        assertThat(world.followed()).isEqualTo(ALWAYS);
    }

    @Test
    void whatHasNotBeenReadYetIsNotTakenForGone() {
        NodeWorld devices = NodeWorld.withDevices();
        devices.store.put(Kinds.PERSISTENT_VOLUME, SmallCluster.volume("pv1", "data"));
        devices.store.put(Kinds.PERSISTENT_VOLUME_CLAIM, SmallCluster.claim("data", "pv1"));
        devices.store.put(Kinds.POD, SmallCluster.pod("web", SmallCluster.claimed("v", "data")));
        devices.run();
        devices.attach("/data/pv1");
        devices.run();
        assertThat(devices.mounts).hasSize(1);
        List<String> before = List.copyOf(devices.calls);

        devices.withheld.add(Kinds.PERSISTENT_VOLUME);
        devices.restart();
        devices.run();
        assertThat(devices.calls).isEqualTo(before);
        assertThat(devices.node().status().volumesInUse()).isNotEmpty();

        devices.withheld.clear();
        devices.run();
        assertThat(devices.calls).isEqualTo(before);
        assertThat(devices.mounts).hasSize(1);
        assertThat(devices.node().status().volumesInUse()).isNotEmpty();
    }

    @Test
    void workIsFoundByItsLabelAndLeftWhenTheLabelGoes() {
        PersistentVolume released = SmallCluster.released("pv1", "old", ReclaimPolicy.DELETE);
        PersistentVolume asked = NodeIntent.labelled(released.withMetadata(released.metadata()
                .withAnnotation(Annotations.RECLAIMING, "old-uid")
                .withAnnotation(NodeIntent.RECLAIM_ON, "n1")));
        assertThat(asked.metadata().labels()).isEqualTo(Map.of(NodeIntent.WORK_ON, "n1"));
        world.store.put(Kinds.PERSISTENT_VOLUME, asked);
        world.run();
        assertThat(world.calls).containsExactly("delete pv1");
        assertThat(world.followed()).contains(VOLUME);

        world.store.put(Kinds.PERSISTENT_VOLUME, released);
        world.run();
        assertThat(world.followed()).isEqualTo(ALWAYS);
        assertThat(world.calls).containsExactly("delete pv1");
    }

    @Test
    void whatAVolumeIsRestoredFromIsFollowedWhileItIsMadeHere() {
        NodeWorld served = new NodeWorld(new FakePlugin(), SmallCluster.CONFIG.withSnapshots(true));
        served.store.put(Kinds.NODE, SmallCluster.node());
        PersistentVolume planned = SmallCluster.volume("pv1", "data");
        served.store.put(
                Kinds.PERSISTENT_VOLUME,
                NodeIntent.labelled(planned.withMetadata(planned.metadata()
                        .withAnnotation(NodeIntent.PROVISIONING, "data-uid")
                        .withAnnotation(NodeIntent.PROVISION_ON, "n1"))));
        PersistentVolumeClaim claim = SmallCluster.claim("data", "");
        served.store.put(
                Kinds.PERSISTENT_VOLUME_CLAIM,
                claim.withSpec(claim.spec()
                        .withDataSource(Optional.of(new TypedObjectReference(
                                Kinds.VOLUME_SNAPSHOT.group(), Kinds.VOLUME_SNAPSHOT.name(), "monday", "")))));
        served.store.put(
                Kinds.VOLUME_SNAPSHOT,
                new VolumeSnapshot(
                        ObjectMeta.named("monday").withNamespace("ns").withUid("monday-uid"),
                        VolumeSnapshotSpec.EMPTY,
                        Optional.of(VolumeSnapshotStatus.EMPTY.withBoundVolumeSnapshotContentName(
                                Optional.of("content")))));
        served.run();
        assertThat(served.followed())
                .contains("VolumeSnapshot ns metadata.name=monday", "VolumeSnapshotContent  metadata.name=content");
    }
}
