// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.Interception;
import dev.mooring.runtime.control.Effect;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Claims that pods use and volumes that claims have are not deleted before their time (semantics/binder §3.1 PP, §3.2 VP). */
class ProtectionTest {
    private static Cluster bound() {
        return new Cluster()
                .load(BinderObjects.volume("pv", "1Gi"), BinderObjects.data())
                .settle();
    }

    /** Counts the live lists of pods. */
    private static int[] countingLists(Cluster cluster) {
        int[] lists = new int[1];
        cluster.afterRead = read -> lists[0] += read instanceof Effect.FindLive ? 1 : 0;
        return lists;
    }

    @Test
    void pp1AClaimWithoutTheFinalizerGetsIt() {
        Cluster cluster = new Cluster();
        cluster.store
                .loadDocument(
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        Kinds.PERSISTENT_VOLUME_CLAIM.write(BinderObjects.claim("data", "1Gi")))
                .orThrow();
        cluster.settle();
        assertThat(cluster.claim("data").metadata().hasFinalizer(Finalizers.PVC_PROTECTION))
                .isTrue();
    }

    @Test
    void pp2NoPodUsesItAndItGoes() {
        Cluster cluster = bound();
        int[] lists = countingLists(cluster);
        cluster.deleteClaim("data").settle();
        assertThat(cluster.findClaim("data")).isEmpty();
        assertThat(lists[0]).as("asked the server, not the cache alone").isEqualTo(1);
    }

    @Test
    void pp4APodWithoutANodeDoesNotHoldIt() {
        Cluster cluster = bound().load(BinderObjects.pod("web", "", "data")).settle();
        cluster.deleteClaim("data").settle();
        assertThat(cluster.findClaim("data")).isEmpty();
    }

    /**
     * The list was answered before the pod was created, but the decision is made after it is known. What is created later still was given
     * a node while the claim was already being deleted: no kubelet starts such a pod (PP4).
     */
    @Test
    void aPodThatIsKnownByTheTimeOfTheDecisionHoldsItThoughTheListDoesNotShowIt() {
        Cluster cluster = bound();
        boolean[] once = new boolean[1];
        cluster.afterRead = read -> {
            if (read instanceof Effect.FindLive && !once[0]) {
                once[0] = true;
                cluster.load(BinderObjects.pod("web", "n1", "data"));
            }
        };
        cluster.deleteClaim("data").settle();
        assertThat(once[0]).isTrue();
        assertThat(cluster.findClaim("data")).isPresent();
        cluster.endPod("web").settle();
        assertThat(cluster.findClaim("data")).isEmpty();
    }

    /** The server is asked again then: a pod that the cache does not know may go without a word. */
    @Test
    void aPodThatAWrongListHidesHoldsItUntilItGoes() {
        Cluster cluster = bound().load(BinderObjects.pod("web", "n1", "data")).settle();
        int[] lists = countingLists(cluster);
        cluster.relistWithoutAny(Kinds.POD).settle();
        cluster.deleteClaim("data").advance(Duration.ofMinutes(30));
        assertThat(cluster.findClaim("data")).isPresent();
        assertThat(lists[0]).as("not asked without end").isBetween(2, 60);
        cluster.endPod("web").advance(Duration.ofMinutes(30));
        assertThat(cluster.findClaim("data")).isEmpty();
    }

    @Test
    void aReleaseThatFailedIsNotTriedAgainOnAnOldList() {
        Cluster cluster = bound().countingFromOne();
        int[] lists = countingLists(cluster);
        cluster.fault = number -> {
            if (number > 1) {
                return Interception.PROCEED;
            }
            cluster.load(BinderObjects.pod("web", "n1", "data"));
            return Interception.refuse(Failure.UNAVAILABLE, "planted");
        };
        cluster.deleteClaim("data").advance(Duration.ofMinutes(5));
        assertThat(cluster.findClaim("data")).isPresent();
        assertThat(lists[0]).isEqualTo(1);
        cluster.endPod("web").advance(Duration.ofMinutes(5));
        assertThat(cluster.findClaim("data")).isEmpty();
        assertThat(lists[0]).as("each release has a list of its own").isEqualTo(2);
    }

    /** The whole of it is put right by the binder, but a finalizer that has been taken does not come back to what is being deleted. */
    @Test
    void vp2AVolumeWhoseClaimLostItsUidThereIsKeptForTheClaimThatHasIt() {
        Cluster cluster = bound();
        cluster.deleteVolume("pv").settle();
        cluster.countingFromOne();
        cluster.fault =
                number -> number == 1 ? Interception.refuse(Failure.UNAVAILABLE, "planted") : Interception.PROCEED;
        cluster.editVolume(
                        "pv",
                        volume -> volume.withSpec(volume.spec()
                                .withClaimRef(volume.spec().claimRef().map(ref -> ref.withUid("")))))
                .advance(Duration.ofMinutes(5));
        assertThat(cluster.volume("pv").metadata().hasFinalizer(Finalizers.PV_PROTECTION))
                .isTrue();
        assertThat(cluster.volume("pv").spec().claimRef().orElseThrow().uid()).isNotEmpty();
    }

    /** The claim is too large for the volume: the two can never be bound, and no pod uses the volume by this claim. */
    @Test
    void vp2AVolumeIsNotKeptForAClaimThatNeverNamedIt() {
        PersistentVolume volume = BinderObjects.inPhase(
                BinderObjects.claimedBy(BinderObjects.volume("pv", "1Gi"), "large", BinderObjects.UID),
                PersistentVolumePhase.RELEASED);
        Cluster cluster = new Cluster().load(volume);
        cluster.load(large()).settle();
        assertThat(cluster.findVolume("pv")).isPresent();
        cluster.deleteVolume("pv").settle();
        assertThat(cluster.findVolume("pv")).isEmpty();
        assertThat(cluster.claim("large").spec().volumeName()).isEmpty();
    }

    @Test
    void vp2AVolumeThatWasMadeOutsideAndIsTooSmallForItsClaimGoesWhenItIsDeleted() {
        Cluster cluster = new Cluster().load(madeOutside()).load(large()).settle();
        cluster.deleteVolume("pv").settle();
        assertThat(cluster.findVolume("pv")).isEmpty();
        assertThat(cluster.claim("large").spec().volumeName()).isEmpty();
    }

    @Test
    void vp2AVolumeThatItsProvisionerHoldsStaysItsClaimsSoThatItIsReleasedAndDestroyedAfterIt() {
        PersistentVolume held = madeOutside();
        held = held.withMetadata(held.metadata().withFinalizer(Finalizers.EXTERNAL_PROVISIONER));
        Cluster cluster = new Cluster().load(held).load(large()).settle();
        cluster.deleteVolume("pv").settle();
        assertThat(cluster.volume("pv").spec().claimRef().orElseThrow().uid()).isEqualTo(BinderObjects.UID);
        cluster.deleteClaim("large").settle();
        assertThat(cluster.volume("pv").status().phase()).isEqualTo(PersistentVolumePhase.RELEASED);
    }

    private static PersistentVolume madeOutside() {
        PersistentVolume volume =
                BinderObjects.claimedBy(BinderObjects.volume("pv", "1Gi"), "large", BinderObjects.UID);
        return volume.withMetadata(volume.metadata().withAnnotation(Annotations.PROVISIONED_BY, "driver.example.com"))
                .withSpec(volume.spec().withPersistentVolumeReclaimPolicy(ReclaimPolicy.DELETE));
    }

    private static dev.mooring.storage.model.PersistentVolumeClaim large() {
        var claim = BinderObjects.claim("large", "2Gi");
        return claim.withMetadata(claim.metadata().withUid(BinderObjects.UID));
    }

    @Test
    void vp2AVolumeIsKeptWhileItsClaimIsThereAndGoesAfterIt() {
        Cluster cluster = bound();
        cluster.deleteVolume("pv").settle();
        assertThat(cluster.findVolume("pv")).isPresent();
        cluster.deleteClaim("data").settle();
        assertThat(cluster.findVolume("pv")).isEmpty();
    }

    @Test
    void vp1AVolumeWithoutTheFinalizerGetsIt() {
        Cluster cluster = new Cluster();
        PersistentVolume volume = BinderObjects.volume("pv", "1Gi");
        cluster.store
                .loadDocument(Kinds.PERSISTENT_VOLUME, Kinds.PERSISTENT_VOLUME.write(volume))
                .orThrow();
        cluster.settle();
        assertThat(cluster.volume("pv").metadata().finalizers()).isEqualTo(List.of(Finalizers.PV_PROTECTION));
    }
}
