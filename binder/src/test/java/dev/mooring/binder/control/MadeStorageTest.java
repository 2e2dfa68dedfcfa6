// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What becomes of storage that is made for a claim (semantics/binder §1.10). */
class MadeStorageTest {
    private static final ObjectKey CLAIM = ObjectKey.of("default", "data");

    // ---- storage made for a claim ----

    private static Cluster provisioning(ToyPlugin plugin) {
        Cluster cluster = new Cluster(BinderOptions.DEFAULT, new PluginRegistry(List.of(plugin)), 1);
        cluster.store
                .create(Kinds.STORAGE_CLASS, StorageClass.of("gold", ToyPlugin.NAME))
                .orThrow();
        cluster.backend = plugin::answer;
        return cluster;
    }

    @Test
    void aClaimOfAClassGetsNewStorage() {
        Cluster cluster = provisioning(new ToyPlugin(Place.CONTROLLER));
        cluster.store
                .create(
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        BinderObjects.ofClass(BinderObjects.claim("data", "3Gi"), "gold"))
                .orThrow();
        cluster.settle();
        String volume = "pvc-" + cluster.claim("data").metadata().uid();
        BindingTest.assertBound(cluster, volume, "data");
        assertThat(cluster.reasons()).contains("ProvisioningSucceeded");
        assertThat(cluster.volume(volume).metadata().annotation(Annotations.PROVISIONED_BY))
                .contains(ToyPlugin.NAME);
    }

    @Test
    void aRefusalIsToldOnceAndRetriedLater() {
        Cluster cluster = provisioning(new ToyPlugin(Place.CONTROLLER));
        AtomicInteger tries = new AtomicInteger();
        cluster.backend = call -> tries.incrementAndGet() < 3
                ? Outcome.refused(Refusal.EXHAUSTED, "the pool is full")
                : new ToyPlugin(Place.CONTROLLER).answer(call);
        cluster.store
                .create(
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        BinderObjects.ofClass(BinderObjects.claim("data", "3Gi"), "gold"))
                .orThrow();
        cluster.settle();
        assertThat(tries).hasValue(1);
        assertThat(cluster.claim("data").status().phase()).isEqualTo(ClaimPhase.PENDING);
        cluster.advance(Duration.ofMinutes(5));
        assertThat(tries).hasValue(3);
        assertThat(cluster.reasons()).containsOnlyOnce("ProvisioningFailed");
        assertThat(cluster.claim("data").status().phase()).isEqualTo(ClaimPhase.BOUND);
    }

    @Test
    void storageOfAClaimThatWentMeanwhileIsDestroyed() {
        Cluster cluster = provisioning(new ToyPlugin(Place.CONTROLLER));
        ToyPlugin toy = new ToyPlugin(Place.CONTROLLER);
        cluster.backend = call -> {
            cluster.store.delete(Kinds.PERSISTENT_VOLUME_CLAIM, CLAIM, DeleteOptions.DEFAULT);
            return toy.answer(call);
        };
        cluster.store
                .create(
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        BinderObjects.ofClass(BinderObjects.claim("data", "3Gi"), "gold"))
                .orThrow();
        cluster.advance(Duration.ofMinutes(5));
        assertThat(cluster.claims()).isEmpty();
        assertThat(cluster.volumes()).isEmpty();
        assertThat(cluster.calls)
                .extracting(call -> call.operation())
                .startsWith("provision")
                .contains("delete");
    }

    @Test
    void anExternalProvisionerIsAskedOnceByAnnotationAndEvent() {
        Cluster cluster = new Cluster();
        cluster.store
                .create(Kinds.STORAGE_CLASS, StorageClass.of("far", "vendor.example.com/disk"))
                .orThrow();
        cluster.store
                .create(Kinds.PERSISTENT_VOLUME_CLAIM, BinderObjects.ofClass(BinderObjects.claim("data", "3Gi"), "far"))
                .orThrow();
        cluster.advance(Duration.ofHours(1));
        assertThat(cluster.claim("data").metadata().annotations())
                .containsEntry(Annotations.STORAGE_PROVISIONER, "vendor.example.com/disk")
                .containsEntry(Annotations.BETA_STORAGE_PROVISIONER, "vendor.example.com/disk");
        assertThat(cluster.reasons()).containsOnlyOnce("ExternalProvisioning");
        assertThat(cluster.writes).hasSize(1);
    }

    @Test
    void aDefaultClassThatAppearsHelpsAClaimThatWaits() {
        Cluster cluster = provisioning(new ToyPlugin(Place.CONTROLLER));
        cluster.store
                .create(Kinds.PERSISTENT_VOLUME_CLAIM, BinderObjects.claim("data", "3Gi"))
                .orThrow();
        cluster.settle();
        assertThat(cluster.claim("data").status().phase()).isEqualTo(ClaimPhase.PENDING);
        StorageClass gold = cluster.store
                .get(Kinds.STORAGE_CLASS, ObjectKey.cluster("gold"))
                .orThrow();
        cluster.store
                .update(
                        Kinds.STORAGE_CLASS,
                        new Change<>(
                                gold,
                                gold.withMetadata(
                                        gold.metadata().withAnnotation(Annotations.IS_DEFAULT_CLASS, "true"))))
                .orThrow();
        cluster.settle();
        assertThat(cluster.claim("data").spec().storageClassName()).contains("gold");
        assertThat(cluster.claim("data").status().phase()).isEqualTo(ClaimPhase.BOUND);
    }

    @Test
    void storageMadeForAPredecessorIsDestroyedAndTheSuccessorGetsItsOwn() {
        Cluster cluster = provisioning(new ToyPlugin(Place.CONTROLLER));
        ToyPlugin toy = new ToyPlugin(Place.CONTROLLER);
        AtomicInteger provisions = new AtomicInteger();
        cluster.backend = call -> {
            if (call.operation().equals("provision") && provisions.incrementAndGet() == 1) {
                PersistentVolumeClaim claim = cluster.claim("data");
                cluster.store
                        .update(
                                Kinds.PERSISTENT_VOLUME_CLAIM,
                                new Change<>(
                                        claim,
                                        claim.withMetadata(claim.metadata().withFinalizers(List.of()))))
                        .orThrow();
                cluster.store
                        .delete(Kinds.PERSISTENT_VOLUME_CLAIM, CLAIM, DeleteOptions.DEFAULT)
                        .orThrow();
                cluster.store
                        .create(
                                Kinds.PERSISTENT_VOLUME_CLAIM,
                                BinderObjects.ofClass(BinderObjects.claim("data", "7Gi"), "gold"))
                        .orThrow();
            }
            return toy.answer(call);
        };
        cluster.store
                .create(
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        BinderObjects.ofClass(BinderObjects.claim("data", "3Gi"), "gold"))
                .orThrow();
        cluster.advance(Duration.ofMinutes(5));
        String volume = "pvc-" + cluster.claim("data").metadata().uid();
        BindingTest.assertBound(cluster, volume, "data");
        assertThat(cluster.volumes()).hasSize(1);
        assertThat(cluster.volume(volume).spec().storage()).isEqualTo(Quantity.parse("7Gi"));
        assertThat(cluster.calls)
                .filteredOn(call -> call.operation().equals("delete"))
                .hasSize(1);
    }

    @Test
    void storageMadeWhileAnotherVolumeAppearedIsUsedAndNotLeaked() {
        Cluster cluster = provisioning(new ToyPlugin(Place.CONTROLLER));
        ToyPlugin toy = new ToyPlugin(Place.CONTROLLER);
        cluster.backend = call -> {
            PersistentVolume other = BinderObjects.volume("other", "3Gi");
            cluster.store
                    .create(
                            Kinds.PERSISTENT_VOLUME,
                            other.withSpec(other.spec().withStorageClassName(Optional.of("gold"))))
                    .orThrow();
            return toy.answer(call);
        };
        cluster.store
                .create(
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        BinderObjects.ofClass(BinderObjects.claim("data", "3Gi"), "gold"))
                .orThrow();
        cluster.advance(Duration.ofMinutes(5));
        BindingTest.assertBound(
                cluster, "pvc-" + cluster.claim("data").metadata().uid(), "data");
        assertThat(cluster.volume("other").status().phase()).isEqualTo(PersistentVolumePhase.AVAILABLE);
    }

    @Test
    void aProvisionedAndRetainedVolumeIsNotMadeAgainAfterItWasRemovedByForce() {
        Cluster cluster =
                new Cluster(BinderOptions.DEFAULT, new PluginRegistry(List.of(new ToyPlugin(Place.CONTROLLER))), 1);
        StorageClass gold = StorageClass.of("gold", ToyPlugin.NAME);
        cluster.store
                .create(Kinds.STORAGE_CLASS, gold.withReclaimPolicy(Optional.of(ReclaimPolicy.RETAIN)))
                .orThrow();
        cluster.backend = new ToyPlugin(Place.CONTROLLER)::answer;
        cluster.store
                .create(
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        BinderObjects.ofClass(BinderObjects.claim("data", "3Gi"), "gold"))
                .orThrow();
        cluster.settle();
        PersistentVolume volume = cluster.volumes().get(0);
        cluster.store
                .update(
                        Kinds.PERSISTENT_VOLUME,
                        new Change<>(
                                volume, volume.withMetadata(volume.metadata().withFinalizers(List.of()))))
                .orThrow();
        cluster.store
                .delete(Kinds.PERSISTENT_VOLUME, ObjectKey.of(volume), DeleteOptions.DEFAULT)
                .orThrow();
        cluster.store
                .delete(Kinds.PERSISTENT_VOLUME_CLAIM, CLAIM, DeleteOptions.DEFAULT)
                .orThrow();
        cluster.advance(Duration.ofMinutes(5));
        assertThat(cluster.volumes()).isEmpty();
        assertThat(cluster.calls).extracting(call -> call.operation()).containsExactly("provision");
    }
}
