// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.expansion;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.StorageClasses;

/**
 * Whether a claim may have more than its volume has. The API server asks the class when a request is raised, but not when a claim that
 * asks for more than a volume has is bound to that volume by hand.
 */
final class ExpansionPermission {
    private ExpansionPermission() {}

    /** Whether the claim names a class that exists and allows expansion. */
    static boolean allows(PersistentVolumeClaim claim, Caches caches) {
        return StorageClasses.nameOf(claim)
                .filter(name -> !name.isEmpty())
                .flatMap(name -> caches.get(Kinds.STORAGE_CLASS, ObjectKey.cluster(name)))
                .flatMap(StorageClass::allowVolumeExpansion)
                .orElse(false);
    }
}
