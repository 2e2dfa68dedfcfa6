// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

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
import dev.mooring.storage.model.VolumeSnapshot;
import dev.mooring.storage.model.VolumeSnapshotStatus;
import dev.mooring.volumemanager.NodeConfig;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** Which objects have to be known before a node does the work that it is asked for on a volume. Pure. */
public final class WorkNeeds {
    private WorkNeeds() {}

    /** What is known of that which storage is filled from. */
    public interface KnownSources {
        /** A claim, if it is known. */
        Optional<PersistentVolumeClaim> claim(ObjectKey key);

        /** A snapshot, if it is known. */
        Optional<VolumeSnapshot> snapshot(ObjectKey key);

        /** Whether snapshots are served, so that they can be followed. */
        boolean servesSnapshots();
    }

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
     * The claim, the classes, and the claim and the volume that a clone is made from, or the snapshot and its content.
     *
     * @param known what is known so far: what one object names is needed as soon as that one is known
     */
    public static Set<ObjectName> of(PersistentVolume volume, KnownSources known) {
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
        Optional<PersistentVolumeClaim> claim = key.flatMap(known::claim);
        claim.flatMap(AttributesClasses::nameOf)
                .ifPresent(name -> needed.add(ObjectName.cluster(Kinds.VOLUME_ATTRIBUTES_CLASS, name)));
        claim.flatMap(ContentSources::claimNamed).ifPresent(source -> addClone(source, known, needed));
        if (known.servesSnapshots()) {
            claim.flatMap(ContentSources::snapshotNamed).ifPresent(source -> addRestored(source, known, needed));
        }
        return needed;
    }

    private static void addClone(ObjectKey source, KnownSources known, Set<ObjectName> needed) {
        needed.add(new ObjectName(Kinds.PERSISTENT_VOLUME_CLAIM, source));
        known.claim(source)
                .map(claim -> claim.spec().volumeName())
                .filter(name -> !name.isEmpty())
                .ifPresent(name -> needed.add(ObjectName.cluster(Kinds.PERSISTENT_VOLUME, name)));
    }

    private static void addRestored(ObjectKey source, KnownSources known, Set<ObjectName> needed) {
        needed.add(new ObjectName(Kinds.VOLUME_SNAPSHOT, source));
        known.snapshot(source)
                .flatMap(VolumeSnapshot::status)
                .flatMap(VolumeSnapshotStatus::boundVolumeSnapshotContentName)
                .filter(name -> !name.isEmpty())
                .ifPresent(name -> needed.add(ObjectName.cluster(Kinds.VOLUME_SNAPSHOT_CONTENT, name)));
    }

    /** Whether something was said of all of them. */
    public static boolean areKnown(PersistentVolume volume, Caches caches) {
        KnownSources known = new KnownSources() {
            @Override
            public Optional<PersistentVolumeClaim> claim(ObjectKey key) {
                return caches.get(Kinds.PERSISTENT_VOLUME_CLAIM, key);
            }

            @Override
            public Optional<VolumeSnapshot> snapshot(ObjectKey key) {
                return caches.get(Kinds.VOLUME_SNAPSHOT, key);
            }

            @Override
            public boolean servesSnapshots() {
                return caches.holds(Kinds.VOLUME_SNAPSHOT);
            }
        };
        return of(volume, known).stream().allMatch(name -> caches.knows(name.kind(), name.key()));
    }
}
