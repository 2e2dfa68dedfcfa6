// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeAttachment;
import java.util.List;

/**
 * The objects of one moment, taken on the decider's thread without more work than copying references.
 *
 * @param claims by namespace and name, as the others
 */
record PageObjects(
        List<PersistentVolumeClaim> claims,
        List<PersistentVolume> volumes,
        List<VolumeAttachment> attachments,
        List<Pod> pods,
        List<Node> nodes,
        List<StorageClass> classes) {
    static final PageObjects NONE = new PageObjects(List.of(), List.of(), List.of(), List.of(), List.of(), List.of());

    static PageObjects of(Caches caches) {
        return new PageObjects(
                all(caches, Kinds.PERSISTENT_VOLUME_CLAIM),
                all(caches, Kinds.PERSISTENT_VOLUME),
                all(caches, Kinds.VOLUME_ATTACHMENT),
                all(caches, Kinds.POD),
                all(caches, Kinds.NODE),
                all(caches, Kinds.STORAGE_CLASS));
    }

    private static <T extends KubernetesObject> List<T> all(Caches caches, Kind<T> kind) {
        return caches.holds(kind) ? List.copyOf(caches.of(kind).all()) : List.of();
    }
}
