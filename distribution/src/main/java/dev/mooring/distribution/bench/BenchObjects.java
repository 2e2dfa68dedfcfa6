// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.bench;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Namespace;
import dev.mooring.storage.model.NamespaceSpec;
import dev.mooring.storage.model.NamespaceStatus;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.StoreResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The objects of one run, recognised by their names, and how they come and go.
 *
 * @param store the cluster
 * @param run the run's own name: the namespace of its claims, and the beginning of its volumes' names
 */
record BenchObjects(ClusterStore store, String run) {
    private static final Quantity SIZE = Quantity.parse("1Gi");

    void createNamespace() {
        store.create(
                        Kinds.NAMESPACE,
                        new Namespace(ObjectMeta.EMPTY.withName(run), NamespaceSpec.EMPTY, NamespaceStatus.EMPTY))
                .orThrow();
    }

    ObjectKey volumeKey(int number) {
        return ObjectKey.cluster(run + "-" + number);
    }

    ObjectKey claimKey(int number) {
        return ObjectKey.of(run, "c" + number);
    }

    /** Whether an object is one of the run's volumes or claims. */
    boolean owns(KubernetesObject object) {
        ObjectKey key = ObjectKey.of(object);
        return key.namespace().equals(run) || key.name().startsWith(run + "-");
    }

    /** The class belongs to the run, so that no other volume and no other claim takes part. */
    void createVolume(int number, boolean preBound) {
        PersistentVolumeSpec spec = PersistentVolumeSpec.EMPTY
                .withStorage(SIZE)
                .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE))
                .withStorageClassName(Optional.of(run))
                .withSource(Optional.of(
                        new VolumeSource("nfs", Document.of(Map.of("server", "bench.invalid", "path", "/" + number)))));
        if (preBound) {
            spec = spec.withClaimRef(Optional.of(ObjectReference.EMPTY
                    .withNamespace(run)
                    .withName(claimKey(number).name())));
        }
        store.create(
                        Kinds.PERSISTENT_VOLUME,
                        PersistentVolume.of(volumeKey(number).name(), spec))
                .orThrow();
    }

    void createClaim(int number) {
        PersistentVolumeClaimSpec spec = PersistentVolumeClaimSpec.EMPTY
                .withRequestedStorage(SIZE)
                .withStorageClassName(Optional.of(run))
                .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE));
        store.create(
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        PersistentVolumeClaim.of(run, claimKey(number).name(), spec))
                .orThrow();
    }

    /** The number of an object's name. */
    static int number(ObjectKey key) {
        return Integer.parseInt(key.name().replaceFirst(".*\\D", ""));
    }

    StoreResult<PersistentVolume> annotate(PersistentVolume volume, String value) {
        return store.update(Kinds.PERSISTENT_VOLUME, new Change<>(volume, annotated(volume, value)));
    }

    static PersistentVolume annotated(PersistentVolume volume, String value) {
        return volume.withMetadata(volume.metadata().withAnnotation("mooring.dev/bench", value));
    }

    void removeClaim(int number) {
        remove(Kinds.PERSISTENT_VOLUME_CLAIM, claimKey(number), claim -> claim.withMetadata(bare(claim)));
    }

    void removeVolume(int number) {
        remove(Kinds.PERSISTENT_VOLUME, volumeKey(number), volume -> volume.withMetadata(bare(volume)));
    }

    private static ObjectMeta bare(KubernetesObject object) {
        return object.metadata().withFinalizers(List.of());
    }

    private <T extends KubernetesObject> void remove(Kind<T> kind, ObjectKey key, Function<T, T> bare) {
        store.delete(kind, key, DeleteOptions.DEFAULT);
        store.get(kind, key).value().ifPresent(left -> store.update(kind, new Change<>(left, bare.apply(left))));
    }

    void removeNamespace() {
        store.delete(Kinds.NAMESPACE, ObjectKey.cluster(run), DeleteOptions.DEFAULT);
    }
}
