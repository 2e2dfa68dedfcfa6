// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.record.RecordEntryPublishBuilder;
import dev.mooring.runtime.record.RecordEntryStageBuilder;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.model.AttachedVolume;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.volumemanager.wanted.HostPaths;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A node with many volumes that an earlier process prepared and published. */
@Tag("long")
class ManyVolumesTest {
    private static NodeWorld with(int volumes) {
        NodeWorld world = NodeWorld.withDevices();
        List<AttachedVolume> attached = new ArrayList<>();
        List<String> used = new ArrayList<>();
        for (int i = 0; i < volumes; i++) {
            String name = "many" + i;
            world.store.put(Kinds.PERSISTENT_VOLUME, SmallCluster.volume(name, name));
            world.store.put(Kinds.PERSISTENT_VOLUME_CLAIM, SmallCluster.claim(name, name));
            Pod pod = SmallCluster.pod(name, SmallCluster.claimed("v", name));
            world.store.put(Kinds.POD, pod.withStatus(pod.status().withPhase(PodPhase.RUNNING)));
            record(world, name, pod);
            attached.add(new AttachedVolume(FakePlugin.NAME + "//data/" + name, ""));
            used.add(FakePlugin.NAME + "//data/" + name);
        }
        Node node = world.node();
        world.store.put(
                Kinds.NODE,
                node.withStatus(node.status().withVolumesAttached(attached).withVolumesInUse(used)));
        world.restart();
        world.run();
        return world;
    }

    private static void record(NodeWorld world, String name, Pod pod) {
        VolumeId id = new VolumeId(FakePlugin.NAME, "/data/" + name);
        HostPaths paths = HostPaths.of(
                        SmallCluster.ROOT,
                        new FakePlugin.Staged(),
                        VolumeSpec.of(SmallCluster.volume(name, name)).orElseThrow(),
                        id,
                        pod.metadata().uid())
                .orElseThrow();
        world.log.append(RecordEntryStageBuilder.builder()
                .volume(name)
                .volumeId(id)
                .reportedName(id.toString())
                .mode(VolumeMode.FILESYSTEM)
                .stagingPath(paths.staging())
                .accessModes(List.of())
                .state(PluginState.NONE)
                .phase(RecordPhase.DONE)
                .bootId("boot-1")
                .build());
        world.log.append(RecordEntryPublishBuilder.builder()
                .pod(new PodRef("ns", name, pod.metadata().uid()))
                .podVolume("v")
                .volume(name)
                .volumeId(id)
                .state(PluginState.NONE)
                .target(paths.target())
                .phase(RecordPhase.DONE)
                .bootId("boot-1")
                .build());
        world.staged.add(id);
        world.mounts.put(paths.target(), PluginState.NONE);
        world.mounted.put(paths.target(), id);
    }

    @Test
    void anIdleNodeWithAThousandVolumesDoesNothing() {
        NodeWorld world = with(1_000);
        assertThat(world.calls).isEmpty();
        int before = world.effects;

        world.run(1_000_000);

        assertThat(world.effects).isEqualTo(before);
    }

    @Test
    void onePodMoreCostsTheSameHoweverManyThereAre() {
        assertThat(effectsOfOnePod(with(300))).isEqualTo(effectsOfOnePod(with(3)));
    }

    private static List<Integer> effectsOfOnePod(NodeWorld world) {
        int before = world.effects;
        int decided = world.decisions;
        List<AttachedVolume> attached = new ArrayList<>(world.node().status().volumesAttached());
        attached.add(new AttachedVolume(FakePlugin.NAME + "//data/pv1", ""));
        world.store.put(Kinds.VOLUME_ATTACHMENT, SmallCluster.attachment("/data/pv1", true));
        world.store.put(Kinds.PERSISTENT_VOLUME, SmallCluster.volume("pv1", "data"));
        world.store.put(Kinds.PERSISTENT_VOLUME_CLAIM, SmallCluster.claim("data", "pv1"));
        world.setAttached(attached);
        world.store.put(Kinds.POD, SmallCluster.pod("web", SmallCluster.claimed("v", "data")));
        world.run();
        ObjectKey key = ObjectKey.of("ns", "web");
        Pod pod = world.store.get(Kinds.POD, key).orElseThrow();
        assertThat(pod.status().phase()).isEqualTo(PodPhase.RUNNING);
        world.store.put(Kinds.POD, pod.withMetadata(pod.metadata().withDeletionTimestamp(Optional.of(Instant.EPOCH))));
        world.run();
        assertThat(world.calls).containsExactly("stage pv1", "publish pv1", "unpublish pv1", "unstage pv1");
        return List.of(world.effects - before, world.decisions - decided);
    }
}
