// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.plugin.NodeIntent;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The binder asks by annotations; the agent acts and answers. */
class NodeReclaimLoopTest {
    private final NodeWorld world = NodeWorld.withNode();

    private static PersistentVolume asked(PersistentVolume volume, String uid, String node) {
        return NodeIntent.labelled(volume.withMetadata(volume.metadata()
                .withAnnotation(Annotations.RECLAIMING, uid)
                .withAnnotation(NodeIntent.RECLAIM_ON, node)));
    }

    /** A volume that the node sees, as one that is used here: those that it does not see are the binder's matter. */
    private static PersistentVolume known(PersistentVolume volume) {
        return volume.withMetadata(
                volume.metadata().withLabels(Map.of(NodeIntent.WORK_ON, NodeIntent.nodeLabel("n1"))));
    }

    private Optional<String> result(String key) {
        return world.store
                .get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("pv1"))
                .orElseThrow()
                .metadata()
                .annotation(key);
    }

    @ParameterizedTest
    @CsvSource({"RECYCLE, recycle pv1", "DELETE, delete pv1"})
    void doesWhatThePolicySaysAndAnswers(ReclaimPolicy policy, String call) {
        world.store.put(Kinds.PERSISTENT_VOLUME, asked(SmallCluster.released("pv1", "old", policy), "old-uid", "n1"));

        world.run();

        assertThat(world.calls).containsExactly(call);
        assertThat(result(NodeIntent.RECLAIM_RESULT)).contains("done old-uid");
    }

    @Test
    void anotherNodesWorkIsNotDone() {
        world.store.put(
                Kinds.PERSISTENT_VOLUME,
                asked(SmallCluster.released("pv1", "old", ReclaimPolicy.RECYCLE), "old-uid", "n2"));

        world.run();

        assertThat(world.calls).isEmpty();
        assertThat(result(NodeIntent.RECLAIM_RESULT)).isEmpty();
    }

    @Test
    void aFailureIsAnsweredAndTriedAgainWhenTheBinderTakesTheAnswerAway() {
        world.faults = call -> Optional.of(Outcome.refused(Refusal.DENIED, "permission denied"));
        world.store.put(
                Kinds.PERSISTENT_VOLUME,
                asked(SmallCluster.released("pv1", "old", ReclaimPolicy.RECYCLE), "old-uid", "n1"));
        world.run();
        assertThat(result(NodeIntent.RECLAIM_RESULT)).contains("refused DENIED permission denied");
        assertThat(world.calls).hasSize(1);

        world.faults = call -> Optional.empty();
        PersistentVolume volume = world.store
                .get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("pv1"))
                .orElseThrow();
        world.store.put(
                Kinds.PERSISTENT_VOLUME,
                volume.withMetadata(volume.metadata().withoutAnnotation(NodeIntent.RECLAIM_RESULT)));
        world.run();

        assertThat(world.calls).hasSize(2);
        assertThat(result(NodeIntent.RECLAIM_RESULT)).contains("done old-uid");
    }

    /** As after a restore from a backup: the same claim is named, yet the storage of this volume has not been emptied. */
    @Test
    void whatBecameOfAFormerVolumeOfTheNameIsNoAnswer() {
        PersistentVolume volume = asked(SmallCluster.released("pv1", "old", ReclaimPolicy.RECYCLE), "old-uid", "n1");
        PersistentVolume again = volume.withMetadata(volume.metadata().withUid("pv1-again"));
        world.faults = call -> {
            if (world.calls.size() == 1) {
                world.store.put(Kinds.PERSISTENT_VOLUME, again);
            }
            return Optional.empty();
        };
        world.store.put(Kinds.PERSISTENT_VOLUME, volume);

        world.run();

        assertThat(world.calls).containsExactly("recycle pv1", "recycle pv1");
        assertThat(result(NodeIntent.RECLAIM_RESULT)).contains("done old-uid");
    }

    @Test
    void whatWasReadOfAFormerVolumeOfTheNameProvesNothing() {
        PersistentVolume volume = asked(SmallCluster.released("pv1", "old", ReclaimPolicy.RECYCLE), "old-uid", "n1");
        PersistentVolume again = volume.withMetadata(volume.metadata().withUid("pv1-again"));
        List<String> reads = new ArrayList<>();
        world.storeFaults = effect -> {
            if (world.calls.isEmpty()) {
                reads.add(effect.operation());
            }
            if (reads.size() == 1) {
                world.store.put(Kinds.PERSISTENT_VOLUME, again);
            }
            return Optional.empty();
        };
        world.store.put(Kinds.PERSISTENT_VOLUME, volume);

        world.run();

        assertThat(Collections.frequency(reads, reads.get(0))).isEqualTo(2);
        assertThat(world.calls).containsExactly("recycle pv1");
    }

    @Test
    void aVolumeThatIsPublishedHereIsNotTouched() {
        world.store.put(Kinds.PERSISTENT_VOLUME, SmallCluster.volume("pv1", "data"));
        world.store.put(Kinds.PERSISTENT_VOLUME_CLAIM, SmallCluster.claim("data", "pv1"));
        world.store.put(Kinds.POD, SmallCluster.pod("web", SmallCluster.claimed("v", "data")));
        world.run();
        world.store.put(
                Kinds.PERSISTENT_VOLUME,
                asked(SmallCluster.released("pv1", "data", ReclaimPolicy.RECYCLE), "data-uid", "n1"));

        world.run();

        assertThat(world.calls).containsExactly("publish pv1");
        assertThat(result(NodeIntent.RECLAIM_RESULT)).contains("deferred published to 1 pod on this node");
    }

    @Test
    void aVolumeThatIsBeingReclaimedIsNotPublished() {
        world.store.put(Kinds.PERSISTENT_VOLUME, asked(SmallCluster.volume("pv1", "data"), "data-uid", "n2"));
        world.store.put(Kinds.PERSISTENT_VOLUME_CLAIM, SmallCluster.claim("data", "pv1"));
        world.store.put(Kinds.POD, SmallCluster.pod("web", SmallCluster.claimed("v", "data")));

        world.run();

        assertThat(world.calls).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/data/pv1", "/data", "/", "/data/pv1/below"})
    void storageThatAnotherVolumeCoversIsNotTouched(String path) {
        PersistentVolume other = SmallCluster.volume("pv2", "other");
        world.store.put(
                Kinds.PERSISTENT_VOLUME,
                known(other.withSpec(other.spec().withSource(Optional.of(SmallCluster.source(path))))));
        world.store.put(
                Kinds.PERSISTENT_VOLUME,
                asked(SmallCluster.released("pv1", "old", ReclaimPolicy.RECYCLE), "old-uid", "n1"));

        world.run();

        assertThat(world.calls).isEmpty();
        assertThat(result(NodeIntent.RECLAIM_RESULT))
                .contains("refused IN_USE its storage overlaps that of volume pv2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/data/pv1", "/data", "/data/pv1/below"})
    void storageThatAVolumeOfAnotherPluginCoversIsNotTouched(String path) {
        PersistentVolume other = SmallCluster.volume("pv2", "other");
        world.store.put(
                Kinds.PERSISTENT_VOLUME,
                known(other.withSpec(other.spec().withSource(Optional.of(SmallCluster.disk(path))))));
        world.store.put(
                Kinds.PERSISTENT_VOLUME,
                asked(SmallCluster.released("pv1", "old", ReclaimPolicy.DELETE), "old-uid", "n1"));

        world.run();

        assertThat(world.calls).isEmpty();
        assertThat(result(NodeIntent.RECLAIM_RESULT))
                .contains("refused IN_USE its storage overlaps that of volume pv2");
    }

    @ParameterizedTest
    @CsvSource({"/data/pv1, false", "/data/pv1/below, false", "/data, true", "/, true"})
    void whatAPodHasOfAnotherPluginCountsOnlyInside(String path, boolean reclaimed) {
        world.store.put(Kinds.POD, SmallCluster.pod("watcher", SmallCluster.inline("host", path)));
        world.run();
        PersistentVolume disk = SmallCluster.released("pv1", "old", ReclaimPolicy.DELETE);
        world.store.put(
                Kinds.PERSISTENT_VOLUME,
                asked(
                        disk.withSpec(disk.spec().withSource(Optional.of(SmallCluster.disk("/data/pv1")))),
                        "old-uid",
                        "n1"));

        world.run();

        assertThat(world.calls.contains("delete pv1")).isEqualTo(reclaimed);
    }

    @Test
    void aMarkOfAnotherClaimIsNoReasonToDestroy() {
        world.store.put(
                Kinds.PERSISTENT_VOLUME,
                asked(SmallCluster.released("pv1", "new", ReclaimPolicy.DELETE), "old-uid", "n1"));

        world.run();

        assertThat(world.calls).isEmpty();
        assertThat(result(NodeIntent.RECLAIM_RESULT).orElseThrow()).startsWith("deferred ");
    }

    @Test
    void aBoundVolumeIsNotTouched() {
        PersistentVolume volume = SmallCluster.released("pv1", "old", ReclaimPolicy.DELETE);
        world.store.put(
                Kinds.PERSISTENT_VOLUME,
                asked(volume, "old-uid", "n1").withStatus(volume.status().withPhase(PersistentVolumePhase.BOUND)));

        world.run();

        assertThat(world.calls).isEmpty();
    }

    @Test
    void makesPlannedStorage() {
        planned("/made/pv1");

        world.run();

        assertThat(world.calls).containsExactly("provision pv1");
        assertThat(result(NodeIntent.PROVISION_RESULT)).contains("done data-uid");
    }

    @Test
    void refusesToMakeWhatIsNotThePlan() {
        planned("/elsewhere");

        world.run();

        assertThat(world.calls).isEmpty();
        assertThat(result(NodeIntent.PROVISION_RESULT).orElseThrow()).startsWith("refused INCOMPATIBLE ");
    }

    @Test
    void refusesToMakeForAClaimThatIsGone() {
        planned("/made/pv1");
        world.store.remove(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of("ns", "data"));

        world.run();

        assertThat(world.calls).isEmpty();
        assertThat(result(NodeIntent.PROVISION_RESULT).orElseThrow()).startsWith("refused NOT_FOUND ");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCrashAtEveryEffectEndsWithOneAnswer(boolean after) {
        for (int crash = 0; crash < 6; crash++) {
            NodeReclaimLoopTest story = new NodeReclaimLoopTest();
            story.world.dieAt = crash;
            story.world.dieAfter = after;
            story.world.store.put(
                    Kinds.PERSISTENT_VOLUME,
                    asked(SmallCluster.released("pv1", "old", ReclaimPolicy.DELETE), "old-uid", "n1"));
            story.planned2();
            story.world.run();
            assertThat(story.result(NodeIntent.RECLAIM_RESULT)).contains("done old-uid");
            assertThat(story.world.calls).contains("delete pv1", "provision pv2");
        }
    }

    private void planned(String path) {
        world.store.put(Kinds.PERSISTENT_VOLUME, plannedVolume("pv1", path));
        world.store.put(Kinds.PERSISTENT_VOLUME_CLAIM, SmallCluster.claim("data", ""));
        world.store.put(Kinds.STORAGE_CLASS, StorageClass.of("fast", FakePlugin.NAME.value()));
    }

    private void planned2() {
        world.store.put(Kinds.PERSISTENT_VOLUME, plannedVolume("pv2", "/made/pv2"));
        world.store.put(Kinds.PERSISTENT_VOLUME_CLAIM, SmallCluster.claim("data", ""));
        world.store.put(Kinds.STORAGE_CLASS, StorageClass.of("fast", FakePlugin.NAME.value()));
    }

    private static PersistentVolume plannedVolume(String name, String path) {
        PersistentVolume volume = SmallCluster.volume(name, "data");
        return NodeIntent.labelled(volume.withSpec(volume.spec()
                        .withStorageClassName(Optional.of("fast"))
                        .withSource(Optional.of(SmallCluster.source(path))))
                .withMetadata(volume.metadata()
                        .withAnnotation(NodeIntent.PROVISIONING, "data-uid")
                        .withAnnotation(NodeIntent.PROVISION_ON, "n1")));
    }
}
