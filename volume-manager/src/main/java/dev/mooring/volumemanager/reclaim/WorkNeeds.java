// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.reclaim;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.ObjectName;
import dev.mooring.runtime.plugin.AttributesClasses;
import dev.mooring.runtime.plugin.ContentSources;
import dev.mooring.runtime.plugin.NodeIntent;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.StorageClasses;
import dev.mooring.volumemanager.NodeConfig;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Which objects have to be known before a node does the work that it is asked for on a volume. Pure. */
public final class WorkNeeds {
    private WorkNeeds() {}

    /** Whether the volume names this node for any work. */
    public static boolean isAsked(PersistentVolume volume, NodeConfig config) {
        String node = config.node().name();
        return volume.metadata()
                        .annotation(NodeIntent.RECLAIM_ON)
                        .filter(node::equals)
                        .isPresent()
                || volume.metadata()
                        .annotation(NodeIntent.PROVISION_ON)
                        .filter(node::equals)
                        .isPresent();
    }

    /**
     * The claim, the classes, and the claim and the volume that a clone is made from.
     *
     * @param claims the claims that are known
     */
    public static Set<ObjectName> of(
            PersistentVolume volume, Function<ObjectKey, Optional<PersistentVolumeClaim>> claims) {
        Set<ObjectName> needed = new LinkedHashSet<>();
        if (volume.metadata().annotation(NodeIntent.PROVISION_ON).isEmpty()) {
            return needed;
        }
        StorageClasses.nameOf(volume)
                .filter(name -> !name.isEmpty())
                .ifPresent(name -> needed.add(ObjectName.cluster(Kinds.STORAGE_CLASS, name)));
        volume.spec()
                .volumeAttributesClassName()
                .filter(name -> !name.isEmpty())
                .ifPresent(name -> needed.add(ObjectName.cluster(Kinds.VOLUME_ATTRIBUTES_CLASS, name)));
        Optional<ObjectKey> key = volume.spec().claimRef().map(ref -> ObjectKey.of(ref.namespace(), ref.name()));
        key.ifPresent(claim -> needed.add(new ObjectName(Kinds.PERSISTENT_VOLUME_CLAIM, claim)));
        Optional<PersistentVolumeClaim> claim = key.flatMap(claims);
        claim.flatMap(AttributesClasses::nameOf)
                .ifPresent(name -> needed.add(ObjectName.cluster(Kinds.VOLUME_ATTRIBUTES_CLASS, name)));
        Optional<ObjectKey> cloned = claim.flatMap(ContentSources::claimNamed);
        cloned.ifPresent(source -> needed.add(new ObjectName(Kinds.PERSISTENT_VOLUME_CLAIM, source)));
        cloned.flatMap(claims)
                .map(source -> source.spec().volumeName())
                .filter(name -> !name.isEmpty())
                .ifPresent(name -> needed.add(ObjectName.cluster(Kinds.PERSISTENT_VOLUME, name)));
        return needed;
    }

    /** Whether something was said of all of them. */
    static boolean areKnown(PersistentVolume volume, Caches caches) {
        return of(volume, key -> caches.get(Kinds.PERSISTENT_VOLUME_CLAIM, key)).stream()
                .allMatch(name -> caches.knows(name.kind(), name.key()));
    }
}
