// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.StoreResult;

/** Users of a store. Confined to the world's thread. */
final class StoreUsers implements UserApi {
    private final DocumentStore store;

    StoreUsers(DocumentStore store) {
        this.store = store.as("user");
    }

    @Override
    public StoreResult<?> load(Kind<?> kind, ObjectKey key, Document object) {
        return store.loadDocument(kind, withPhase(kind, object.withoutNulls()));
    }

    /** An API server never shows a claim or a volume without a phase: what it stored without one is Pending. */
    private static Document withPhase(Kind<?> kind, Document object) {
        boolean phased = kind == Kinds.PERSISTENT_VOLUME || kind == Kinds.PERSISTENT_VOLUME_CLAIM;
        return phased && object.at("status", "phase").isEmpty() ? object.with("Pending", "status", "phase") : object;
    }

    @Override
    public StoreResult<?> apply(Kind<?> kind, ObjectKey key, Document object) {
        return store.applyDocument(kind, object);
    }

    @Override
    public StoreResult<?> patch(Kind<?> kind, ObjectKey key, boolean status, Document merge) {
        return store.patchDocument(kind, key, status ? "status" : "", merge);
    }

    @Override
    public StoreResult<?> delete(Kind<?> kind, ObjectKey key, boolean force) {
        return store.deleteObject(
                kind, key, force ? DeleteOptions.DEFAULT.withGracePeriodSeconds(0) : DeleteOptions.DEFAULT);
    }
}
