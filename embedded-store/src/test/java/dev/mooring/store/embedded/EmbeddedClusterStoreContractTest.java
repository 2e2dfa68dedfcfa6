// SPDX-License-Identifier: Apache-2.0
package dev.mooring.store.embedded;

import dev.mooring.clusterstore.contract.ClusterStoreContract;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ClusterStore;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The durable store keeps the contract of all stores. */
class EmbeddedClusterStoreContractTest extends ClusterStoreContract {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private EmbeddedClusterStore store;

    @BeforeEach
    void open() {
        store = EmbeddedStores.open(directory.resolve("cluster.db"));
    }

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
        EmbeddedStores.fill(store);
    }
}
