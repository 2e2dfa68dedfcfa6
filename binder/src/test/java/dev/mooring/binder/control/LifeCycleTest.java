// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.clusterstore.Interception;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeBindingMode;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The lives of volumes and claims from one state to the next, by what people do to them. */
class LifeCycleTest {
    private static Cluster cluster() {
        return new Cluster(BinderOptions.DEFAULT, new PluginRegistry(List.of(new ToyPlugin(Place.CONTROLLER))), 1);
    }

    private static PersistentVolumePhase phase(Cluster cluster) {
        return cluster.volume("pv").status().phase();
    }

    private static ClaimPhase claimPhase(Cluster cluster) {
        return cluster.claim("data").status().phase();
    }

    private static PersistentVolume unclaimed(PersistentVolume volume) {
        return volume.withSpec(volume.spec().withClaimRef(Optional.empty()));
    }

    @Test
    void aClaimLosesItsVolumeAndGetsItBack() {
        Cluster cluster = cluster().load(BinderObjects.volume("pv", "1Gi")).settle();
        assertThat(phase(cluster)).isEqualTo(PersistentVolumePhase.AVAILABLE);
        cluster.load(BinderObjects.data()).settle();
        BindingTest.assertBound(cluster, "pv", "data");
        long reads = cluster.counters.reads();
        cluster.tearOutVolume("pv").settle();
        assertThat(claimPhase(cluster)).isEqualTo(ClaimPhase.LOST);
        assertThat(cluster.counters.reads())
                .as("the server was asked first (D7)")
                .isGreaterThan(reads);
        assertThat(cluster.told("ClaimLost")).isEqualTo(1);
        cluster.load(BinderObjects.volume("pv", "1Gi")).settle();
        BindingTest.assertBound(cluster, "pv", "data");
        assertThat(cluster.claim("data").status().capacity()).isNotEmpty();
        assertThat(cluster.hasTimer()).isFalse();
    }

    @Test
    void aRefusedRecyclingFailsTheVolumeUntilAPersonTakesTheClaimRefAway() {
        Cluster cluster = cluster();
        cluster.backend = call -> Outcome.refused(Refusal.DENIED, "no");
        cluster.load(BinderObjects.volume("pv", "1Gi", ReclaimPolicy.RECYCLE), BinderObjects.data())
                .settle();
        cluster.deleteClaim("data").settle();
        assertThat(phase(cluster)).isEqualTo(PersistentVolumePhase.FAILED);
        assertThat(cluster.volume("pv").status().message()).contains("no");
        cluster.advance(Duration.ofHours(1));
        assertThat(cluster.told("VolumeFailedRecycle")).isEqualTo(1);
        int calls = cluster.calls.size();
        assertThat(calls).as("bounded by the longest back-off").isBetween(30, 240);
        cluster.editVolume("pv", LifeCycleTest::unclaimed).settle();
        assertThat(phase(cluster)).isEqualTo(PersistentVolumePhase.AVAILABLE);
        assertThat(cluster.volume("pv").status().message()).isEmpty();
        cluster.advance(Duration.ofHours(1));
        assertThat(cluster.calls).hasSize(calls);
        assertThat(cluster.hasTimer()).isFalse();
    }

    @Test
    void aRetainedVolumeIsFreeWhenAPersonTakesTheClaimRefAway() {
        Cluster cluster = cluster()
                .load(BinderObjects.volume("pv", "1Gi"), BinderObjects.data())
                .settle();
        cluster.deleteClaim("data").load(BinderObjects.claim("next", "1Gi")).settle();
        assertThat(phase(cluster)).isEqualTo(PersistentVolumePhase.RELEASED);
        assertThat(cluster.claim("next").status().phase()).isEqualTo(ClaimPhase.PENDING);
        cluster.editVolume("pv", LifeCycleTest::unclaimed).settle();
        BindingTest.assertBound(cluster, "pv", "next");
    }

    @Test
    void aPolicyThatChangesIsObeyed() {
        Cluster cluster = cluster()
                .load(BinderObjects.volume("pv", "1Gi"), BinderObjects.data())
                .settle();
        cluster.deleteClaim("data").settle();
        assertThat(cluster.calls).isEmpty();
        cluster.editVolume("pv", v -> v.withSpec(v.spec().withPersistentVolumeReclaimPolicy(ReclaimPolicy.DELETE)))
                .settle();
        assertThat(cluster.findVolume("pv")).isEmpty();
        assertThat(cluster.operations()).containsExactly("delete");
    }

    @Test
    void aVolumeOfAClaimThatPodsStillUseIsNotRecycled() {
        Cluster cluster =
                cluster().load(BinderObjects.volume("pv", "1Gi", ReclaimPolicy.RECYCLE), BinderObjects.data());
        cluster.settle();
        cluster.load(BinderObjects.pod("web", "", "data")).deleteClaim("data").settle();
        assertThat(cluster.findClaim("data"))
                .as("a pod without a node does not hold it (PP4)")
                .isEmpty();
        assertThat(phase(cluster)).isEqualTo(PersistentVolumePhase.RELEASED);
        assertThat(cluster.calls).isEmpty();
        assertThat(cluster.told("VolumeFailedRecycle")).isEqualTo(1);
        cluster.endPod("web").settle();
        assertThat(cluster.operations()).containsExactly("recycle");
        assertThat(phase(cluster)).isEqualTo(PersistentVolumePhase.AVAILABLE);
    }

    /** A volume that a user keeps for a claim by name is recycled after every one of that name. */
    @Test
    void aVolumeKeptForANameIsRecycledEachTime() {
        Cluster cluster = cluster()
                .load(BinderObjects.claimedBy(BinderObjects.volume("pv", "1Gi", ReclaimPolicy.RECYCLE), "data", ""));
        for (int round = 1; round <= 3; round++) {
            cluster.store
                    .create(Kinds.PERSISTENT_VOLUME_CLAIM, BinderObjects.claim("data", "1Gi"))
                    .orThrow();
            cluster.settle();
            BindingTest.assertBound(cluster, "pv", "data");
            cluster.deleteClaim("data").settle();
            assertThat(cluster.calls).hasSize(round);
            assertThat(phase(cluster)).isEqualTo(PersistentVolumePhase.AVAILABLE);
            assertThat(cluster.volume("pv").spec().claimRef().map(ObjectReference::uid))
                    .contains("");
        }
    }

    // ---- protection ----

    @ParameterizedTest
    @EnumSource(PersistentVolumePhase.class)
    void aVolumeIsHeldByItsClaimWhateverItsPhase(PersistentVolumePhase shown) {
        Cluster cluster = cluster()
                .load(BinderObjects.inPhase(
                        BinderObjects.claimedBy(BinderObjects.volume("pv", "1Gi"), "data", BinderObjects.UID), shown))
                .load(BinderObjects.boundTo("pv"));
        cluster.deleteVolume("pv").settle();
        assertThat(cluster.findVolume("pv")).as("D9").isPresent();
        cluster.deleteClaim("data").settle();
        assertThat(cluster.findVolume("pv")).isEmpty();
    }

    @Test
    void aFreeVolumeGoesAtOnce() {
        Cluster cluster = cluster().load(BinderObjects.volume("pv", "1Gi")).settle();
        cluster.deleteVolume("pv").settle();
        assertThat(cluster.findVolume("pv")).isEmpty();
    }

    @Test
    void pp1AndVp1ObjectsWithoutTheirFinalizersGetThem() {
        Cluster cluster = cluster()
                .load(BinderObjects.volume("pv", "1Gi"), BinderObjects.data())
                .settle();
        cluster.editVolume("pv", v -> v.withMetadata(v.metadata().withFinalizers(List.of())))
                .editClaim("data", c -> c.withMetadata(c.metadata().withFinalizers(List.of())))
                .settle();
        assertThat(cluster.volume("pv").metadata().finalizers()).contains(Finalizers.PV_PROTECTION);
        assertThat(cluster.claim("data").metadata().finalizers()).contains(Finalizers.PVC_PROTECTION);
    }

    @Test
    void pp3APodThatHasEndedStillHoldsItsClaim() {
        Cluster cluster = cluster().load(BinderObjects.volume("pv", "1Gi"), BinderObjects.data());
        Pod pod = BinderObjects.pod("job", "n1", "data");
        cluster.load(pod.withStatus(pod.status().withPhase(PodPhase.SUCCEEDED))).settle();
        cluster.deleteClaim("data").settle();
        assertThat(cluster.findClaim("data")).isPresent();
        cluster.endPod("job").settle();
        assertThat(cluster.findClaim("data")).isEmpty();
    }

    @Test
    void aClaimThatIsBeingDeletedIsNotBoundAnyMore() {
        Cluster cluster = cluster()
                .load(BinderObjects.data(), BinderObjects.pod("web", "n1", "data"))
                .settle();
        cluster.deleteClaim("data").settle();
        cluster.load(BinderObjects.volume("pv", "1Gi")).settle();
        assertThat(cluster.volume("pv").spec().claimRef()).isEmpty();
        assertThat(phase(cluster)).isEqualTo(PersistentVolumePhase.AVAILABLE);
    }

    // ---- classes and consumers ----

    @Test
    void aConsumerAndThenItsNodeMoveAClaimOn() {
        Cluster cluster = cluster()
                .load(
                        BinderObjects.storageClass(
                                "late", "vendor.example.com/disk", VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER),
                        BinderObjects.ofClass(BinderObjects.data(), "late"))
                .settle();
        cluster.load(BinderObjects.pod("web", "", "data")).settle();
        cluster.editClaim("data", c -> BinderObjects.annotated(c, Annotations.SELECTED_NODE, "n1"))
                .settle();
        assertThat(cluster.reasons())
                .containsExactly("WaitForFirstConsumer", "WaitForPodScheduled", "ExternalProvisioning");
    }

    @Test
    void manyPodsOfOneClaimAreNotToldOneByOne() {
        Cluster cluster = cluster()
                .load(
                        BinderObjects.storageClass(
                                "late", "vendor.example.com/disk", VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER),
                        BinderObjects.ofClass(BinderObjects.data(), "late"))
                .settle();
        for (int i = 0; i < 500; i++) {
            cluster.load(BinderObjects.pod("web-%03d".formatted(i), "", "data")).settle();
        }
        assertThat(cluster.told("WaitForPodScheduled")).isEqualTo(11);
        assertThat(cluster.news.get(cluster.news.size() - 1).message()).endsWith("web-009 and 1 more to be scheduled");
    }

    @Test
    void ofSeveralDefaultClassesTheNewestIsTaken() {
        Cluster cluster = cluster();
        for (String name : List.of("b-old", "c-new", "a-new")) {
            if (name.equals("c-new")) {
                cluster.advance(Duration.ofMinutes(1));
            }
            cluster.store
                    .create(
                            Kinds.STORAGE_CLASS,
                            BinderObjects.byDefault(StorageClass.of(name, "vendor.example.com/disk")))
                    .orThrow();
        }
        cluster.load(BinderObjects.data()).settle();
        assertThat(cluster.claim("data").spec().storageClassName()).contains("a-new");
    }

    @Test
    void aClassThatLearnsWhenToBindHelpsItsClaims() {
        StorageClass modeless =
                StorageClass.of("gold", "vendor.example.com/disk").withVolumeBindingMode(Optional.empty());
        Cluster cluster = cluster()
                .load(modeless, BinderObjects.ofClass(BinderObjects.data(), "gold"))
                .settle();
        assertThat(cluster.news).isEmpty();
        cluster.load(modeless.withVolumeBindingMode(Optional.of(VolumeBindingMode.IMMEDIATE)))
                .settle();
        assertThat(cluster.reasons()).containsExactly("ExternalProvisioning");
    }

    // ---- a claim waits for a bind that does not come about ----

    @Test
    void aClaimThatNamesAVolumeGetsItWhenTheOneItWasReservedForGoes() {
        Cluster cluster = cluster().load(BinderObjects.data()).settle();
        boolean[] first = {true};
        // While the write that reserves the volume is under way its claim goes, and another one names the volume.
        cluster.fault = number -> {
            if (!first[0]) {
                return Interception.PROCEED;
            }
            first[0] = false;
            return Interception.refuse(Failure.UNAVAILABLE, "planted");
        };
        cluster.load(BinderObjects.volume("pv", "1Gi")).settle();
        assertThat(cluster.volume("pv").spec().claimRef()).isEmpty();
        cluster.load(BinderObjects.naming(BinderObjects.claim("named", "1Gi"), "pv"))
                .settle();
        assertThat(cluster.claim("named").status().phase()).isEqualTo(ClaimPhase.PENDING);
        cluster.deleteClaim("data").settle();
        BindingTest.assertBound(cluster, "pv", "named");
    }

    private static PersistentVolume byHand(PersistentVolume volume) {
        return volume.withMetadata(volume.metadata().withoutAnnotation(Annotations.BOUND_BY_CONTROLLER));
    }

    @Test
    void noClaimGetsAVolumeAtWhichAPluginMayBeAtWork() {
        Cluster cluster =
                cluster().load(BinderObjects.volume("pv", "1Gi", ReclaimPolicy.RECYCLE), BinderObjects.data());
        cluster.settle();
        cluster.backend = call -> Outcome.uncertain("time-out");
        cluster.deleteClaim("data").settle();
        cluster.load(
                        BinderObjects.claim("next", "1Gi"),
                        BinderObjects.naming(BinderObjects.claim("named", "1Gi"), "pv"))
                .editVolume("pv", v -> byHand(BinderObjects.claimedBy(v, "next", "")))
                .settle();
        assertThat(cluster.claim("next").status().phase()).isEqualTo(ClaimPhase.PENDING);
        assertThat(cluster.claim("named").status().phase()).isEqualTo(ClaimPhase.PENDING);
        assertThat(cluster.volume("pv").metadata().annotation(Annotations.RECLAIMING))
                .isPresent();
        cluster.backend = call -> Outcome.done();
        cluster.advance(Duration.ofMinutes(5));
        assertThat(cluster.volume("pv").metadata().annotation(Annotations.RECLAIMING))
                .isEmpty();
        assertThat(cluster.claim("named").status().phase()).isEqualTo(ClaimPhase.PENDING);
        BindingTest.assertBound(cluster, "pv", "next");
    }
}
