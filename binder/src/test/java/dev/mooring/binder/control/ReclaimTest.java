// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.runtime.plugin.NodeIntent;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeAttachmentSource;
import dev.mooring.storage.model.VolumeAttachmentSpec;
import dev.mooring.storage.model.VolumeAttachmentStatus;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a volume when its claim has gone (semantics/binder §1.9, D6). */
class ReclaimTest {
    private static final ObjectKey CLAIM = ObjectKey.of("default", "data");

    private static Cluster released(ReclaimPolicy policy, ToyPlugin plugin) {
        Cluster cluster = new Cluster(BinderOptions.DEFAULT, new PluginRegistry(List.of(plugin)), 1);
        cluster.store
                .create(Kinds.PERSISTENT_VOLUME, BinderObjects.volume("pv", "1Gi", policy))
                .orThrow();
        cluster.store
                .create(Kinds.PERSISTENT_VOLUME_CLAIM, BinderObjects.claim("data", "1Gi"))
                .orThrow();
        cluster.settle();
        cluster.store
                .delete(Kinds.PERSISTENT_VOLUME_CLAIM, CLAIM, DeleteOptions.DEFAULT)
                .orThrow();
        return cluster;
    }

    @Test
    void retainKeepsAndCallsNoPlugin() {
        Cluster cluster =
                released(ReclaimPolicy.RETAIN, new ToyPlugin(Place.CONTROLLER)).settle();
        assertThat(cluster.volume("pv").status().phase()).isEqualTo(PersistentVolumePhase.RELEASED);
        assertThat(cluster.calls).isEmpty();
    }

    @Test
    void recycleEmptiesMarksBeforeAndIsAvailableAfterwards() {
        Cluster cluster = released(ReclaimPolicy.RECYCLE, new ToyPlugin(Place.CONTROLLER));
        cluster.backend = call -> {
            assertThat(cluster.volume("pv").metadata().annotation(Annotations.RECLAIMING))
                    .as("the mark stands before the call")
                    .isPresent();
            return Outcome.done();
        };
        cluster.settle();
        PersistentVolume volume = cluster.volume("pv");
        assertThat(volume.status().phase()).isEqualTo(PersistentVolumePhase.AVAILABLE);
        assertThat(volume.spec().claimRef()).isEmpty();
        assertThat(volume.metadata().annotation(Annotations.RECLAIMING)).isEmpty();
        assertThat(cluster.reasons()).contains("VolumeRecycled");
    }

    @Test
    void storageThatOverlapsAnotherVolumesIsNotEmptied() {
        Cluster cluster = released(ReclaimPolicy.RECYCLE, new ToyPlugin(Place.CONTROLLER));
        PersistentVolume same = BinderObjects.volume("pv", "1Gi", ReclaimPolicy.RETAIN);
        PersistentVolume other =
                same.withMetadata(BinderObjects.volume("other", "1Gi").metadata());
        cluster.store.create(Kinds.PERSISTENT_VOLUME, other).orThrow();
        cluster.settle();
        assertThat(cluster.calls).isEmpty();
        assertThat(cluster.volume("pv").status().phase()).isEqualTo(PersistentVolumePhase.FAILED);
        assertThat(cluster.volume("pv").status().message()).contains("overlaps").contains("volume other");
        cluster.store
                .delete(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("other"), DeleteOptions.DEFAULT)
                .orThrow();
        cluster.advance(Duration.ofMinutes(5));
        assertThat(cluster.volume("pv").status().phase()).isEqualTo(PersistentVolumePhase.AVAILABLE);
        assertThat(cluster.calls).hasSize(1);
    }

    @Test
    void deleteDestroysAndTheObjectGoes() {
        Cluster cluster =
                released(ReclaimPolicy.DELETE, new ToyPlugin(Place.CONTROLLER)).settle();
        assertThat(cluster.findVolume("pv")).isEmpty();
        assertThat(cluster.calls).hasSize(1);
        assertThat(cluster.hasTimer()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"DELETE, VolumeDelete", "RECYCLE, VolumeFailedRecycle"})
    void storageThatIsAttachedIsTakenFromNoNodeAndPeopleAreToldIfThatLasts(ReclaimPolicy policy, String reason) {
        Cluster cluster = released(policy, new ToyPlugin(Place.CONTROLLER));
        cluster.store
                .create(
                        Kinds.VOLUME_ATTACHMENT,
                        new VolumeAttachment(
                                ObjectMeta.named("attachment"),
                                new VolumeAttachmentSpec(
                                        "toy", "n1", new VolumeAttachmentSource(Optional.of("pv"), Optional.empty())),
                                VolumeAttachmentStatus.EMPTY))
                .orThrow();

        cluster.settle();
        assertThat(cluster.calls).isEmpty();
        assertThat(cluster.volume("pv").status().phase()).isEqualTo(PersistentVolumePhase.RELEASED);
        assertThat(cluster.reasons())
                .as("a detach that is under way is no news")
                .doesNotContain(reason);

        cluster.advance(Duration.ofMinutes(5));
        assertThat(cluster.calls).isEmpty();
        assertThat(cluster.news)
                .filteredOn(news -> news.object().name().equals("pv"))
                .singleElement()
                .satisfies(news -> {
                    assertThat(news.reason()).isEqualTo(reason);
                    assertThat(news.warning()).isFalse();
                    assertThat(news.message()).isEqualTo("persistentvolume pv is still attached to node n1");
                });

        cluster.store
                .delete(Kinds.VOLUME_ATTACHMENT, ObjectKey.cluster("attachment"), DeleteOptions.DEFAULT)
                .orThrow();
        cluster.settle();
        assertThat(cluster.calls).as("at once, without a timer").hasSize(1);
        assertThat(cluster.hasTimer()).isFalse();
    }

    @Test
    void storageThatIsStillInUseIsToldOfAndStaysReleased() {
        Cluster cluster = released(ReclaimPolicy.DELETE, new ToyPlugin(Place.CONTROLLER));
        cluster.backend = call -> Outcome.deferred("still in use by node n1");
        cluster.advance(Duration.ofMinutes(5));
        assertThat(cluster.volume("pv").status().phase()).isEqualTo(PersistentVolumePhase.RELEASED);
        assertThat(cluster.calls).hasSizeGreaterThan(1);
        assertThat(cluster.news)
                .filteredOn(news -> news.object().name().equals("pv"))
                .singleElement()
                .satisfies(news -> {
                    assertThat(news.reason()).isEqualTo("VolumeDelete");
                    assertThat(news.warning()).isFalse();
                    assertThat(news.message()).contains("still in use by node n1");
                });
        cluster.backend = call -> Outcome.done();
        cluster.advance(Duration.ofMinutes(5));
        assertThat(cluster.findVolume("pv")).isEmpty();
    }

    @Test
    void aRefusalFailsTheVolumeWithItsReasonAndIsRetriedLater() {
        Cluster cluster = released(ReclaimPolicy.RECYCLE, new ToyPlugin(Place.CONTROLLER));
        cluster.backend = call -> Outcome.refused(Refusal.DENIED, "the server says no");
        cluster.settle();
        assertThat(cluster.volume("pv").status().phase()).isEqualTo(PersistentVolumePhase.FAILED);
        assertThat(cluster.volume("pv").status().message()).contains("the server says no");
        assertThat(cluster.volume("pv").metadata().annotation(Annotations.RECLAIMING))
                .isEmpty();
        assertThat(cluster.reasons()).containsOnlyOnce("VolumeFailedRecycle");
        cluster.backend = call -> Outcome.done();
        cluster.advance(Duration.ofMinutes(5));
        assertThat(cluster.volume("pv").status().phase()).isEqualTo(PersistentVolumePhase.AVAILABLE);
    }

    @Test
    void anAnswerThatWasLostKeepsTheMarkSoThatNoClaimGetsTheVolume() {
        Cluster cluster = released(ReclaimPolicy.RECYCLE, new ToyPlugin(Place.CONTROLLER));
        cluster.backend = call -> Outcome.uncertain("the answer was lost");
        cluster.settle();
        PersistentVolume volume = cluster.volume("pv");
        assertThat(volume.metadata().annotation(Annotations.RECLAIMING)).isPresent();
        cluster.store
                .update(
                        Kinds.PERSISTENT_VOLUME,
                        new Change<>(volume, volume.withSpec(volume.spec().withClaimRef(Optional.empty()))))
                .orThrow();
        cluster.store
                .create(Kinds.PERSISTENT_VOLUME_CLAIM, BinderObjects.claim("next", "1Gi"))
                .orThrow();
        cluster.settle();
        assertThat(cluster.claim("next").status().phase()).isEqualTo(ClaimPhase.PENDING);
        cluster.backend = call -> Outcome.done();
        cluster.advance(Duration.ofMinutes(5));
        BindingTest.assertBound(cluster, "pv", "next");
    }

    static Stream<Arguments> deaths() {
        return Stream.of(ReclaimPolicy.RECYCLE, ReclaimPolicy.DELETE)
                .flatMap(policy -> Death.atWrites(4).map(death -> Arguments.of(policy, death)));
    }

    @ParameterizedTest(name = "{0}: dies {1}")
    @MethodSource("deaths")
    void endsTheSameWhereverTheProcessDies(ReclaimPolicy policy, Death death) {
        Cluster cluster = released(policy, new ToyPlugin(Place.CONTROLLER)).countingFromOne();
        death.in(cluster);
        cluster.advance(Duration.ofMinutes(5));
        if (policy == ReclaimPolicy.DELETE) {
            assertThat(cluster.findVolume("pv")).isEmpty();
        } else {
            assertThat(cluster.volume("pv").status().phase()).isEqualTo(PersistentVolumePhase.AVAILABLE);
            assertThat(cluster.volume("pv").spec().claimRef()).isEmpty();
        }
        assertThat(cluster.calls).isNotEmpty();
    }

    // ---- work that only a node can do ----

    @ParameterizedTest
    @ValueSource(strings = {"done", "refused DENIED no", "uncertain perhaps"})
    void aNodeIsAskedByAnIntentOnTheVolumeAndAnswersThere(String answer) {
        Cluster cluster = released(ReclaimPolicy.RECYCLE, new ToyPlugin(Place.NODE));
        cluster.store.create(Kinds.NODE, Node.of("n1")).orThrow();
        cluster.settle();
        PersistentVolume asked = cluster.volume("pv");
        String uid = asked.metadata().annotation(Annotations.RECLAIMING).orElseThrow();
        assertThat(asked.metadata().annotation(NodeIntent.RECLAIM_ON)).contains("n1");
        assertThat(cluster.calls).isEmpty();
        String text = answer.equals("done") ? "done " + uid : answer;
        cluster.store
                .update(
                        Kinds.PERSISTENT_VOLUME,
                        new Change<>(
                                asked,
                                asked.withMetadata(asked.metadata().withAnnotation(NodeIntent.RECLAIM_RESULT, text))))
                .orThrow();
        cluster.settle();
        PersistentVolume after = cluster.volume("pv");
        if (answer.equals("done")) {
            assertThat(after.status().phase()).isEqualTo(PersistentVolumePhase.AVAILABLE);
            assertThat(after.metadata().annotations())
                    .doesNotContainKeys(NodeIntent.RECLAIM_ON, NodeIntent.RECLAIM_RESULT);
        } else {
            assertThat(after.status().phase()).isEqualTo(PersistentVolumePhase.FAILED);
            assertThat(after.metadata().annotation(Annotations.RECLAIMING).isPresent())
                    .isEqualTo(answer.startsWith("uncertain"));
        }
    }

    // ---- volumes that no claim may get, and storage that must not be forgotten ----

    @ParameterizedTest(name = "bind-completed: {0}")
    @ValueSource(booleans = {false, true})
    void aMarkedVolumeIsNotBoundEvenByName(boolean bindCompleted) {
        Cluster cluster = released(ReclaimPolicy.RECYCLE, new ToyPlugin(Place.CONTROLLER));
        cluster.backend = call -> Outcome.uncertain("the answer was lost");
        cluster.settle();
        PersistentVolume volume = cluster.volume("pv");
        PersistentVolume freed = volume.withSpec(volume.spec().withClaimRef(Optional.empty()));
        cluster.store
                .update(Kinds.PERSISTENT_VOLUME, new Change<>(volume, freed))
                .orThrow();
        PersistentVolumeClaim next = BinderObjects.naming(BinderObjects.claim("next", "1Gi"), "pv");
        if (bindCompleted) {
            next = next.withMetadata(next.metadata().withAnnotation(Annotations.BIND_COMPLETED, "yes"));
        }
        cluster.store.create(Kinds.PERSISTENT_VOLUME_CLAIM, next).orThrow();
        cluster.settle();
        assertThat(cluster.volume("pv").spec().claimRef()).isEmpty();
        assertThat(cluster.claim("next").status().phase()).isEqualTo(ClaimPhase.PENDING);
        cluster.backend = call -> Outcome.done();
        cluster.advance(Duration.ofMinutes(5));
        BindingTest.assertBound(cluster, "pv", "next");
    }

    @Test
    void theMarkGoesWhenTheAdministratorDecidesToRetain() {
        Cluster cluster = released(ReclaimPolicy.RECYCLE, new ToyPlugin(Place.CONTROLLER));
        cluster.backend = call -> {
            PersistentVolume volume = cluster.volume("pv");
            cluster.store
                    .update(
                            Kinds.PERSISTENT_VOLUME,
                            new Change<>(
                                    volume,
                                    volume.withSpec(
                                            volume.spec().withPersistentVolumeReclaimPolicy(ReclaimPolicy.RETAIN))))
                    .orThrow();
            return Outcome.refused(Refusal.DENIED, "the server says no");
        };
        cluster.advance(Duration.ofMinutes(5));
        assertThat(cluster.volume("pv").metadata().annotation(Annotations.RECLAIMING))
                .isEmpty();
        assertThat(cluster.calls).hasSize(1);
    }

    @Test
    void aVolumeWhoseNodeWasAwayIsTriedAgainWhenItComesBack() {
        Cluster cluster = released(ReclaimPolicy.RECYCLE, new ToyPlugin(Place.NODE));
        cluster.store.create(Kinds.NODE, Node.of("n1")).orThrow();
        cluster.store.create(Kinds.NODE, Node.of("n2")).orThrow();
        cluster.settle();
        assertThat(cluster.volume("pv").status().phase()).isEqualTo(PersistentVolumePhase.FAILED);
        cluster.store
                .delete(Kinds.NODE, ObjectKey.cluster("n2"), DeleteOptions.DEFAULT)
                .orThrow();
        cluster.settle();
        assertThat(cluster.volume("pv").metadata().annotation(NodeIntent.RECLAIM_ON))
                .contains("n1");
    }
}
