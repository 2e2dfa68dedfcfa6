// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.protection.VolumeProtection;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How long a volume that is being deleted is kept, and what makes its protection look again (semantics/binder §3.2 VP). */
class VolumeProtectionTest {
    private static final Duration A_WHILE = Duration.ofMinutes(30);

    private static Cluster cluster() {
        return new Cluster(BinderOptions.DEFAULT, new PluginRegistry(List.of(new ToyPlugin(Place.CONTROLLER))), 1);
    }

    private static PersistentVolume released(ReclaimPolicy policy) {
        return BinderObjects.inPhase(
                BinderObjects.claimedBy(BinderObjects.volume("pv", "1Gi", policy), "data", BinderObjects.UID),
                PersistentVolumePhase.RELEASED);
    }

    // ---- what it is kept for ----

    @Test
    void storageThatIsBeingReclaimedKeepsItsVolume() {
        Cluster cluster = cluster();
        cluster.backend = call -> Outcome.uncertain("no answer");
        cluster.load(released(ReclaimPolicy.DELETE)).settle();
        assertThat(cluster.volume("pv").metadata().annotation(Annotations.RECLAIMING))
                .isPresent();

        cluster.deleteVolume("pv").settle();
        assertThat(cluster.volume("pv").metadata().hasFinalizer(Finalizers.PV_PROTECTION))
                .isTrue();

        cluster.backend = call -> Outcome.done();
        cluster.advance(A_WHILE);
        assertThat(cluster.findVolume("pv")).isEmpty();
    }

    @Test
    void storageThatIsToBeRetainedKeepsItsVolumeNoMore() {
        Cluster cluster = cluster();
        cluster.backend = call -> Outcome.uncertain("no answer");
        cluster.load(released(ReclaimPolicy.DELETE)).settle();
        cluster.editVolume("pv", v -> v.withSpec(v.spec().withPersistentVolumeReclaimPolicy(ReclaimPolicy.RETAIN)))
                .deleteVolume("pv")
                .advance(A_WHILE);
        assertThat(cluster.findVolume("pv")).isEmpty();
    }

    @Test
    void aClaimThatTheCacheShowsIsNotAskedFor() {
        Cluster cluster = new Cluster().load(BinderObjects.volume("pv", "1Gi"), BinderObjects.data());
        int[] reads = countingReads(cluster);
        cluster.settle().deleteVolume("pv").advance(A_WHILE);
        assertThat(cluster.findVolume("pv")).isPresent();
        assertThat(reads[0]).isZero();
    }

    /** As of a claim that waits for it: the binder frees what is deleted before its claim names it, but nothing made for the claim. */
    @Test
    void aClaimThatHasYetToNameTheVolumeIsNotAskedForEither() {
        PersistentVolume made = BinderObjects.annotated(
                BinderObjects.claimedBy(
                        BinderObjects.volume("pv", "1Gi", ReclaimPolicy.DELETE), "data", BinderObjects.UID),
                Annotations.PROVISIONED_BY,
                ToyPlugin.NAME);
        Cluster cluster = cluster().load(made, BinderObjects.data()).deleteVolume("pv");
        int[] reads = countingReads(cluster);
        cluster.advance(A_WHILE);
        assertThat(cluster.findVolume("pv")).isPresent();
        assertThat(cluster.claim("data").spec().volumeName()).isEmpty();
        assertThat(reads[0]).isZero();
    }

    /** A list that hides the claim is not believed; what the server shows instead is looked at now and then. */
    @Test
    void aClaimThatAWrongListHidesKeepsItsVolume() {
        Cluster cluster = new Cluster().load(BinderObjects.volume("pv", "1Gi"), BinderObjects.data());
        int[] reads = countingReads(cluster);
        cluster.settle().relistWithoutClaims().settle();
        cluster.deleteVolume("pv").advance(A_WHILE);
        assertThat(cluster.findVolume("pv")).isPresent();
        assertThat(reads[0]).as("not asked without end").isBetween(2, 60);
    }

    private static int[] countingReads(Cluster cluster) {
        int[] reads = new int[1];
        cluster.afterRead = read -> reads[0] += read instanceof Effect.Read ? 1 : 0;
        return reads;
    }

    // ---- what makes it look again ----

    @Test
    void itGoesAfterItsClaimThoughItsPhaseCannotBeWritten() {
        Cluster cluster = new Cluster()
                .load(BinderObjects.volume("pv", "1Gi"), BinderObjects.data())
                .settle();
        cluster.refused = request -> request.subresource().equals("status");
        cluster.deleteVolume("pv").settle();
        assertThat(cluster.findVolume("pv")).isPresent();
        cluster.deleteClaim("data").settle();
        assertThat(cluster.findVolume("pv")).isEmpty();
    }

    private final VolumeProtection protection = new VolumeProtection();

    @Test
    void aClaimWakesThoseOfItsVolumesThatAreBeingDeleted() {
        PersistentVolume kept = BinderObjects.claimedBy(BinderObjects.volume("kept", "1Gi"), "data", BinderObjects.UID);
        learn(Optional.empty(), Optional.of(kept));
        assertThat(wokenByTheClaim()).isEmpty();

        PersistentVolume one = deleting("one");
        PersistentVolume two = deleting("two");
        learn(Optional.empty(), Optional.of(one));
        learn(Optional.empty(), Optional.of(two));
        assertThat(wokenByTheClaim()).containsExactly("recheck one", "recheck two");

        learn(Optional.of(one), Optional.empty());
        assertThat(wokenByTheClaim()).containsExactly("recheck two");
        learn(Optional.of(two), Optional.empty());
        assertThat(wokenByTheClaim()).isEmpty();
    }

    private static PersistentVolume deleting(String name) {
        PersistentVolume volume = BinderObjects.claimedBy(BinderObjects.volume(name, "1Gi"), "data", BinderObjects.UID);
        return volume.withMetadata(volume.metadata().withDeletionTimestamp(Optional.of(Instant.EPOCH)));
    }

    private void learn(Optional<PersistentVolume> before, Optional<PersistentVolume> after) {
        Letters.of(protection, Kinds.PERSISTENT_VOLUME, before, after);
    }

    private List<String> wokenByTheClaim() {
        return Letters.of(
                protection, Kinds.PERSISTENT_VOLUME_CLAIM, Optional.of(BinderObjects.data()), Optional.empty());
    }
}
