// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.StorageClasses;
import java.util.Optional;

/**
 * What a filter may look at: the objects as they are known, and what is derived from them and from assumptions. Filters are functions of
 * it; they change nothing.
 *
 * @param caches the objects
 * @param indexes what is derived
 * @param options how to schedule
 */
record SchedulingView(Caches caches, SchedulingIndexes indexes, SchedulingOptions options) {
    Optional<PersistentVolumeClaim> claim(ObjectKey key) {
        return caches.get(Kinds.PERSISTENT_VOLUME_CLAIM, key);
    }

    Optional<PersistentVolume> volume(String name) {
        return caches.get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(name));
    }

    /** The class that a claim names, if there is one of that name. */
    Optional<StorageClass> classOf(PersistentVolumeClaim claim) {
        return StorageClasses.nameOf(claim).flatMap(name -> caches.get(Kinds.STORAGE_CLASS, ObjectKey.cluster(name)));
    }

    StaticVolumes volumes() {
        return indexes.volumes();
    }

    PlacedPods pods() {
        return indexes.pods();
    }

    AssumeCache assumptions() {
        return indexes.assumptions();
    }
}
