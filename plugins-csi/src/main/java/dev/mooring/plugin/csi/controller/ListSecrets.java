// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.controller;

import dev.mooring.plugin.csi.driver.LiveObjects;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.VolumeSnapshotContent;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.SnapshotRef;
import dev.mooring.storage.spi.SnapshotRequest;
import dev.mooring.storage.store.ClusterStore;
import java.util.Optional;

/** The secrets with which snapshots are looked for: those that the class of a content names for listing. Thread-safe. */
public final class ListSecrets {
    private final LiveObjects objects;

    /** Reads a store. */
    public ListSecrets(ClusterStore store) {
        this.objects = new LiveObjects(store);
    }

    /** The secret; empty if the class names none, or there is no class; deferred while the objects cannot be read. */
    Outcome<Optional<ObjectKey>> of(SnapshotRef snapshot) {
        return objects.find(Kinds.VOLUME_SNAPSHOT_CONTENT, ObjectKey.cluster(snapshot.contentName()))
                .then(found -> found.map(this::of).orElseGet(() -> Outcome.done(Optional.empty())));
    }

    private Outcome<Optional<ObjectKey>> of(VolumeSnapshotContent content) {
        Optional<String> name = content.spec().volumeSnapshotClassName().filter(given -> !given.isEmpty());
        if (name.isEmpty()) {
            return Outcome.done(Optional.empty());
        }
        return objects.find(Kinds.VOLUME_SNAPSHOT_CLASS, ObjectKey.cluster(name.get()))
                .then(found -> found.map(made -> SnapshotRules.listSecret(new SnapshotRequest(
                                content.metadata().name(),
                                ObjectKey.of(
                                        content.spec().volumeSnapshotRef().namespace(),
                                        content.spec().volumeSnapshotRef().name()),
                                content.metadata().name(),
                                made.parameters())))
                        .orElseGet(() -> Outcome.done(Optional.empty())));
    }
}
