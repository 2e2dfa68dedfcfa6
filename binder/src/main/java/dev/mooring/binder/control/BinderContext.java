// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.BinderOptions;
import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.StorageClasses;
import java.util.Optional;

/**
 * What every decision of the binder may look at, besides the situation.
 *
 * @param indexes what is derived from caches and key states
 * @param plugins the plugins of this process
 * @param options where the binder differs from upstream
 */
record BinderContext(BinderIndexes indexes, PluginRegistry plugins, BinderOptions options) {
    /** Which CSI drivers have taken over for which plugins. */
    Migration migration() {
        return new Migration(options.migrated(), plugins);
    }

    /** Whether another program binds, and the binder is but the provisioner. */
    boolean isBesideAnother() {
        return options.beside().isPresent();
    }

    /** The name of the volume that is made for a claim. */
    String volumeName(PersistentVolumeClaim claim) {
        return options.beside()
                .map(role -> role.volumeName(claim.metadata().uid()))
                .orElseGet(() -> ClaimProvisioning.volumeName(claim));
    }

    /** What keeps a volume until its storage is destroyed by this process. */
    String deletionFinalizer() {
        return isBesideAnother() ? Finalizers.EXTERNAL_PROVISIONER : Finalizers.PV_CONTROLLER;
    }

    static Optional<PersistentVolumeClaim> claim(Caches caches, ObjectKey key) {
        return caches.get(Kinds.PERSISTENT_VOLUME_CLAIM, key);
    }

    static Optional<PersistentVolume> volume(Caches caches, String name) {
        return caches.get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(name));
    }

    /** The class that a claim asks for by name, if there is such a class. */
    static Optional<StorageClass> classOf(Caches caches, PersistentVolumeClaim claim) {
        return StorageClasses.nameOf(claim)
                .filter(name -> !name.isEmpty())
                .flatMap(name -> caches.get(Kinds.STORAGE_CLASS, ObjectKey.cluster(name)));
    }
}
