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
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The objects of one moment, taken on the decider's thread without more work than copying references.
 *
 * @param claims by namespace and name, as the others
 * @param others what is not shown, but looked at by explanations
 */
record PageObjects(
        List<PersistentVolumeClaim> claims,
        List<PersistentVolume> volumes,
        List<VolumeAttachment> attachments,
        List<Pod> pods,
        List<Node> nodes,
        List<StorageClass> classes,
        List<KubernetesObject> others) {
    static final PageObjects NONE =
            new PageObjects(List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of());

    private static final Set<Kind<?>> SHOWN = Set.of(
            Kinds.PERSISTENT_VOLUME_CLAIM,
            Kinds.PERSISTENT_VOLUME,
            Kinds.VOLUME_ATTACHMENT,
            Kinds.POD,
            Kinds.NODE,
            Kinds.STORAGE_CLASS);

    static PageObjects of(Caches caches) {
        List<KubernetesObject> others = new ArrayList<>();
        caches.kinds().stream()
                .filter(kind -> !SHOWN.contains(kind))
                .forEach(kind -> others.addAll(caches.of(kind).all()));
        return new PageObjects(
                all(caches, Kinds.PERSISTENT_VOLUME_CLAIM),
                all(caches, Kinds.PERSISTENT_VOLUME),
                all(caches, Kinds.VOLUME_ATTACHMENT),
                all(caches, Kinds.POD),
                all(caches, Kinds.NODE),
                all(caches, Kinds.STORAGE_CLASS),
                List.copyOf(others));
    }

    /** Everything. */
    List<KubernetesObject> all() {
        return Stream.of(claims, volumes, attachments, pods, nodes, classes, others)
                .<KubernetesObject>flatMap(List::stream)
                .toList();
    }

    private static <T extends KubernetesObject> List<T> all(Caches caches, Kind<T> kind) {
        return caches.holds(kind) ? List.copyOf(caches.of(kind).all()) : List.of();
    }
}
