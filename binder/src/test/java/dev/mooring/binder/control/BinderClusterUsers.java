// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ListOptions;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What users and programs do in a cluster, past the binder, and what all of them see there.
 *
 * @param <W> the cluster
 */
abstract class BinderClusterUsers<W extends BinderClusterUsers<W>> {
    abstract MemoryClusterStore store();

    abstract W self();

    /** Puts objects into the store as they are, with their uids, statuses and all. */
    W load(KubernetesObject... objects) {
        for (KubernetesObject object : objects) {
            if (object instanceof PersistentVolume volume) {
                load(Kinds.PERSISTENT_VOLUME, volume.withMetadata(guarded(volume, Finalizers.PV_PROTECTION)));
            } else if (object instanceof PersistentVolumeClaim claim) {
                load(Kinds.PERSISTENT_VOLUME_CLAIM, claim.withMetadata(guarded(claim, Finalizers.PVC_PROTECTION)));
            } else if (object instanceof StorageClass storageClass) {
                load(Kinds.STORAGE_CLASS, storageClass);
            } else if (object instanceof Pod pod) {
                load(Kinds.POD, pod);
            } else {
                load(Kinds.NODE, (Node) object);
            }
        }
        return self();
    }

    private static ObjectMeta guarded(KubernetesObject object, String finalizer) {
        ObjectMeta metadata = object.metadata();
        return metadata.hasFinalizer(finalizer) ? metadata : metadata.withFinalizer(finalizer);
    }

    private <T extends KubernetesObject> void load(Kind<T> kind, T object) {
        store().loadDocument(kind, kind.write(object)).orThrow();
    }

    W editVolume(String name, UnaryOperator<PersistentVolume> edit) {
        PersistentVolume before = volume(name);
        store().update(Kinds.PERSISTENT_VOLUME, new Change<>(before, edit.apply(before)))
                .orThrow();
        return self();
    }

    W annotateVolume(String name, String annotation, String value) {
        return editVolume(name, v -> v.withMetadata(v.metadata().withAnnotation(annotation, value)));
    }

    W editClaim(String name, UnaryOperator<PersistentVolumeClaim> edit) {
        PersistentVolumeClaim before = claim(name);
        store().update(Kinds.PERSISTENT_VOLUME_CLAIM, new Change<>(before, edit.apply(before)))
                .orThrow();
        return self();
    }

    W deleteClaim(String name) {
        store().delete(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of("default", name), DeleteOptions.DEFAULT)
                .orThrow();
        return self();
    }

    W deleteVolume(String name) {
        store().delete(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(name), DeleteOptions.DEFAULT)
                .orThrow();
        return self();
    }

    /** A pod object goes, as after its node has stopped it. */
    W endPod(String name) {
        DeleteOptions atOnce =
                new DeleteOptions("", Optional.empty(), Optional.of(0L), DeleteOptions.Propagation.BACKGROUND);
        store().delete(Kinds.POD, ObjectKey.of("default", name), atOnce).orThrow();
        return self();
    }

    /** The backup tool's way: the object goes at once, whatever protects it. */
    W tearOutVolume(String name) {
        return deleteVolume(name)
                .editVolume(name, v -> v.withMetadata(v.metadata().withFinalizers(List.of())));
    }

    Optional<PersistentVolumeClaim> findClaim(String name) {
        return store().get(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of("default", name))
                .value();
    }

    PersistentVolume volume(String name) {
        return store().get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(name)).orThrow();
    }

    Optional<PersistentVolume> findVolume(String name) {
        return store().get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(name)).value();
    }

    PersistentVolumeClaim claim(String name) {
        return store().get(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of("default", name))
                .orThrow();
    }

    List<PersistentVolume> volumes() {
        return store().list(Kinds.PERSISTENT_VOLUME, ListOptions.ALL).orThrow().items();
    }

    List<PersistentVolumeClaim> claims() {
        return store().list(Kinds.PERSISTENT_VOLUME_CLAIM, ListOptions.ALL)
                .orThrow()
                .items();
    }
}
