// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.protection.AttributesClassProtection;
import dev.mooring.runtime.control.Effect;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ModifyVolumeStatus;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimStatus;
import dev.mooring.storage.model.VolumeAttributesClass;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Who keeps a VolumeAttributesClass (semantics/binder §3.3). */
class AttributesClassProtectionTest {
    private static final ObjectKey FAST = ObjectKey.cluster("fast");

    private static Cluster cluster() {
        Cluster cluster = new Cluster();
        ModificationTest.create(cluster, "fast", ExpandedDiskPlugin.NAME);
        return cluster.settle();
    }

    private static Optional<VolumeAttributesClass> fast(Cluster cluster) {
        return cluster.store.get(Kinds.VOLUME_ATTRIBUTES_CLASS, FAST).value();
    }

    private static Cluster delete(Cluster cluster) {
        cluster.store
                .delete(Kinds.VOLUME_ATTRIBUTES_CLASS, FAST, DeleteOptions.DEFAULT)
                .orThrow();
        return cluster;
    }

    private static PersistentVolumeClaim wanting(PersistentVolumeClaim claim) {
        return claim.withSpec(claim.spec().withVolumeAttributesClassName(Optional.of("fast")));
    }

    @Test
    void oneThatNoObjectNamesGoesAfterBothListsHaveBeenReadLive() {
        Cluster cluster = cluster();
        long reads = cluster.counters.reads();
        delete(cluster).settle();
        assertThat(fast(cluster)).isEmpty();
        assertThat(cluster.counters.reads() - reads).isEqualTo(2);
    }

    @Test
    void aFailingListKeepsIt() {
        Cluster cluster = cluster();
        cluster.unreadable = 1;
        delete(cluster).settle();
        assertThat(fast(cluster)).isPresent();
        cluster.advance(Duration.ofMinutes(1));
        assertThat(fast(cluster)).isEmpty();
    }

    @Test
    void theClaimThatWantsItKeepsIt() {
        Cluster cluster = cluster().load(wanting(BinderObjects.data())).settle();
        long reads = cluster.counters.reads();
        delete(cluster).advance(Duration.ofHours(1));
        assertThat(fast(cluster)).isPresent();
        assertThat(cluster.counters.reads()).as("asked though the cache knows").isEqualTo(reads);
        cluster.deleteClaim("data").settle();
        assertThat(fast(cluster)).isEmpty();
    }

    @Test
    void theClaimThatHasItOrIsBeingGivenItKeepsIt() {
        UnaryOperator<PersistentVolumeClaimStatus> has =
                status -> status.withCurrentVolumeAttributesClassName(Optional.of("fast"));
        UnaryOperator<PersistentVolumeClaimStatus> isGiven =
                status -> status.withModifyVolumeStatus(Optional.of(new ModifyVolumeStatus("fast", "Infeasible")));
        for (UnaryOperator<PersistentVolumeClaimStatus> edit : List.of(has, isGiven)) {
            Cluster cluster = ExpandedDiskPlugin.cluster(1);
            ModificationTest.create(cluster, "fast", ExpandedDiskPlugin.NAME);
            PersistentVolumeClaim before = cluster.claim("data");
            cluster.store
                    .updateStatus(
                            Kinds.PERSISTENT_VOLUME_CLAIM,
                            new Change<>(before, before.withStatus(edit.apply(before.status()))))
                    .orThrow();
            delete(cluster).settle();
            assertThat(fast(cluster)).isPresent();
            cluster.deleteClaim("data").settle();
            assertThat(fast(cluster)).isEmpty();
        }
    }

    @Test
    void theVolumeThatNamesItKeepsIt() {
        Cluster cluster = ExpandedDiskPlugin.cluster(1);
        ModificationTest.create(cluster, "fast", ExpandedDiskPlugin.NAME);
        cluster.editVolume("pv", v -> v.withSpec(v.spec().withVolumeAttributesClassName(Optional.of("fast"))));
        delete(cluster).settle();
        assertThat(fast(cluster)).isPresent();
        cluster.tearOutVolume("pv").settle();
        assertThat(fast(cluster)).isEmpty();
    }

    /** The race that upstream documents: the cache does not show yet that a claim names it. */
    @Test
    void aUseThatTheCacheDoesNotShowYetKeepsIt() {
        for (long seed = 0; seed < 200; seed++) {
            Cluster cluster = cluster().shuffled(seed);
            cluster.load(wanting(BinderObjects.data()));
            delete(cluster).settle();
            assertThat(fast(cluster)).as("seed %d", seed).isPresent();
            cluster.deleteClaim("data").settle();
            assertThat(fast(cluster)).as("seed %d", seed).isEmpty();
        }
    }

    /** The server is asked again then: a claim that the cache does not know may go without a word. */
    @Test
    void aClaimThatAWrongListHidesKeepsItUntilItGoes() {
        Cluster cluster = cluster().load(wanting(BinderObjects.data())).settle();
        hiddenKeepsIt(cluster.relistWithoutClaims());
        cluster.deleteClaim("data").advance(Duration.ofMinutes(30));
        assertThat(fast(cluster)).isEmpty();
    }

    @Test
    void aVolumeThatAWrongListHidesKeepsItUntilItGoes() {
        Cluster cluster = ExpandedDiskPlugin.cluster(1);
        ModificationTest.create(cluster, "fast", ExpandedDiskPlugin.NAME);
        cluster.editVolume("pv", v -> v.withSpec(v.spec().withVolumeAttributesClassName(Optional.of("fast"))))
                .settle();
        hiddenKeepsIt(cluster.relistWithoutAny(Kinds.PERSISTENT_VOLUME));
        cluster.tearOutVolume("pv").advance(Duration.ofMinutes(30));
        assertThat(fast(cluster)).isEmpty();
    }

    private static void hiddenKeepsIt(Cluster cluster) {
        cluster.settle();
        int[] lists = new int[1];
        cluster.afterRead = read -> lists[0] += read instanceof Effect.FindLive ? 1 : 0;
        delete(cluster).advance(Duration.ofMinutes(30));
        assertThat(fast(cluster)).isPresent();
        assertThat(lists[0]).as("not asked without end").isBetween(4, 120);
    }

    @Test
    void whoNamesItWakesItWhenHeGoesAndNoNameIsNone() {
        AttributesClassProtection protection = new AttributesClassProtection();
        PersistentVolumeClaim named = wanting(BinderObjects.data());
        PersistentVolumeClaim unnamed = named.withSpec(named.spec().withVolumeAttributesClassName(Optional.of("")));
        assertThat(Letters.of(protection, Kinds.PERSISTENT_VOLUME_CLAIM, Optional.of(named), Optional.empty()))
                .containsExactly("recheck fast");
        assertThat(Letters.of(protection, Kinds.PERSISTENT_VOLUME_CLAIM, Optional.of(unnamed), Optional.empty()))
                .isEmpty();
    }

    @Test
    void oneThatHasLostItsFinalizerGetsItBackAndADeathChangesNothing() {
        Cluster cluster = cluster();
        VolumeAttributesClass before = fast(cluster).orElseThrow();
        cluster.store
                .update(
                        Kinds.VOLUME_ATTRIBUTES_CLASS,
                        new Change<>(
                                before, before.withMetadata(before.metadata().withFinalizers(List.of()))))
                .orThrow();
        cluster.countingFromOne().diesBefore = write -> write == 1;
        cluster.settle();
        assertThat(fast(cluster).orElseThrow().metadata().finalizers()).containsExactly(Finalizers.VAC_PROTECTION);
        cluster.diesBefore = write -> write == 3;
        delete(cluster).settle();
        assertThat(fast(cluster)).isEmpty();
    }
}
