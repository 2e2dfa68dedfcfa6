// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.clusterstore.contract.ClusterStoreContract;
import dev.mooring.kubernetes.cluster.RealCluster;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ClusterStore;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** The store over a real API server keeps the contract of all stores. */
@Tag("cluster")
class KubernetesStoreContractTest extends ClusterStoreContract {
    private static final RealCluster CLUSTER = RealCluster.shared();
    private static KubernetesStore store;

    @BeforeAll
    static void open() {
        store = KubernetesStore.open(Connection.ofKubeconfig(CLUSTER.kubeconfig()), KubernetesOptions.DEFAULT);
        for (String name : List.of("x", "xx", "y")) {
            CLUSTER.admin().send("POST", "/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + name + "\"}}");
        }
    }

    @AfterAll
    static void close() {
        store.close();
    }

    @BeforeEach
    void empty() {
        CLUSTER.admin().removeAll("/api/v1/persistentvolumeclaims");
        CLUSTER.admin().removeAll("/api/v1/persistentvolumes");
    }

    @Override
    protected ClusterStore store() {
        return store;
    }

    @Override
    protected boolean keepsUnknownFields() {
        return false;
    }

    /** Kubernetes 1.27 and later tell. */
    @Override
    protected boolean deletionTellsItsRevision() {
        return false;
    }

    @Override
    protected boolean isTheOnlyWriter() {
        return false;
    }

    @Override
    protected boolean refusesFutureRevisions() {
        return false;
    }

    @Override
    protected boolean mayEndWatches() {
        return true;
    }

    @Override
    protected long patienceMillis() {
        return 240_000;
    }

    @Override
    protected void createDocument(Kind<?> kind, Document document) {
        String namespace = document.text("metadata", "namespace").orElse("");
        CLUSTER.admin().ok("POST", Paths.collection(kind, namespace), json(document));
    }

    @Override
    protected Document readDocument(Kind<?> kind, ObjectKey key) {
        return CLUSTER.admin().ok("GET", Paths.object(kind, key), "");
    }

    @Override
    protected void patchDocument(Kind<?> kind, ObjectKey key, Document mergePatch) {
        CLUSTER.admin().ok("PATCH", Paths.object(kind, key), json(mergePatch));
    }

    @Override
    protected void patchStatus(ObjectKey key, Document mergePatch) {
        CLUSTER.admin().ok("PATCH", Paths.object(Kinds.PERSISTENT_VOLUME, key) + "/status", json(mergePatch));
    }

    @Override
    protected void forgetHistory() {
        CLUSTER.admin()
                .send("POST", "/api/v1/namespaces/x/configmaps", "{\"metadata\":{\"generateName\":\"filler-\"}}");
        CLUSTER.forgetHistory();
        while (store.get(Kinds.NAMESPACE, ObjectKey.cluster("x")).failure().isPresent()) {
            Thread.onSpinWait();
        }
    }

    private static String json(Document document) {
        return KubernetesJson.standard().write(document);
    }
}
