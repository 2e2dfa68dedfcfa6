// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import dev.mooring.runtime.store.DocumentStore;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
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
        return store.loadDocument(kind, object.withoutNulls());
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
