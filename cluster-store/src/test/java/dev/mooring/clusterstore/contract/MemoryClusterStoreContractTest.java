// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.contract;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ClusterStore;
import java.time.InstantSource;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;

/** The store in memory keeps the contract of all stores. */
class MemoryClusterStoreContractTest extends ClusterStoreContract {
    private static final int HISTORY = 400;

    private final MemoryClusterStore store = new MemoryClusterStore(
            StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(1))), HISTORY);

    @AfterEach
    void close() {
        store.close();
    }

    @Override
    protected ClusterStore store() {
        return store;
    }

    @Override
    protected void createDocument(Kind<?> kind, Document document) {
        store.createDocument(kind, document).orThrow();
    }

    @Override
    protected Document readDocument(Kind<?> kind, ObjectKey key) {
        return store.getDocument(kind, key).orThrow();
    }

    @Override
    protected void patchDocument(Kind<?> kind, ObjectKey key, Document mergePatch) {
        store.patchDocument(kind, key, "", mergePatch).orThrow();
    }

    @Override
    protected void patchStatus(ObjectKey key, Document mergePatch) {
        store.patchDocument(Kinds.PERSISTENT_VOLUME, key, "status", mergePatch).orThrow();
    }

    @Override
    protected void forgetHistory() {
        for (int i = 0; i <= HISTORY; i++) {
            Document filler = Document.of(
                    Map.of("metadata", Map.of("name", "filler", "namespace", "x"), "data", Map.of("k", "" + i)));
            store.applyDocument(Kinds.CONFIG_MAP, filler).orThrow();
        }
    }
}
