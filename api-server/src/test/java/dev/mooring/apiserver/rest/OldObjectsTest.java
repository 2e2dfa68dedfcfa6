// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.apiserver.resource.Resources;
import dev.mooring.apiserver.rest.exchange.Answer;
import dev.mooring.apiserver.rest.exchange.ApiRequest;
import dev.mooring.apiserver.rest.exchange.Bodies;
import dev.mooring.apiserver.rest.exchange.RequestTarget;
import dev.mooring.apiserver.rest.exchange.RestFailure;
import dev.mooring.apiserver.rest.object.ServedStore;
import dev.mooring.clusterstore.ApiStore;
import dev.mooring.clusterstore.Commit;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryDocumentEngine;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.clusterstore.StoredDocument;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.Revision;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes of what was stored before the types of all fields were looked at. */
class OldObjectsTest {
    private static final Resources RESOURCES = Resources.of(Kinds.standard());
    private static final KubernetesJson JSON = KubernetesJson.standard();
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.EPOCH);

    private final MemoryDocumentEngine engine = new MemoryDocumentEngine(10);
    private final ApiStore store =
            new ApiStore(engine, StoreOptions.of(Kinds.standard(), CLOCK, IdSource.random(new Random(1))));

    @BeforeEach
    void storesAVolumeWithATextForAFlag() {
        Document volume = Bodies.json("""
                        {"apiVersion":"v1","kind":"PersistentVolume","metadata":{"name":"v","uid":"u","resourceVersion":"1"},
                        "spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"volumeMode":"Filesystem",
                        "persistentVolumeReclaimPolicy":"Retain","nfs":{"server":"s","path":"/p","readOnly":"true"}}}""");
        StoredDocument stored = StoredDocument.of(Kinds.PERSISTENT_VOLUME, new Revision(1), volume);
        engine.commit(new Commit(Optional.empty(), stored, false));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private Document stored() {
        return store.getDocument(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("v"))
                .orThrow();
    }

    private void put(Document object, String... subresource) {
        List<String> path = subresource.length == 0
                ? List.of("api", "v1", "persistentvolumes", "v")
                : List.of("api", "v1", "persistentvolumes", "v", subresource[0]);
        ApiRequest request = new ApiRequest("PUT", path, Map.of(), "", Answer.JSON_TYPE, JSON.write(object));
        new Verbs(new ServedStore(store), CLOCK)
                .perform(request, RequestTarget.of(RESOURCES, path).orElseThrow());
    }

    @Test
    void takeLabelsAndAStatus() {
        put(stored().with("gold", "metadata", "labels", "tier"));
        put(stored().with("Released", "status", "phase"), "status");

        assertThat(stored().text("metadata", "labels", "tier")).contains("gold");
        assertThat(stored().text("status", "phase")).contains("Released");
    }

    @Test
    void takeAPatchThatLeavesItAsItIsAndOneThatMendsIt() {
        patch("{\"metadata\":{\"labels\":{\"tier\":\"gold\"}}}");
        assertThat(stored().at("spec", "nfs", "readOnly")).contains("true");
        store.patchDocument(
                        Kinds.PERSISTENT_VOLUME,
                        ObjectKey.cluster("v"),
                        "",
                        Bodies.json("{\"metadata\":{\"labels\":null}}"))
                .orThrow();

        assertThat(stored().at("metadata", "labels")).isEmpty();
    }

    @Test
    void doNotGetWorse() {
        assertThatThrownBy(() -> put(stored().with(5L, "spec", "nfs", "readOnly")))
                .isInstanceOf(RestFailure.class)
                .hasMessageContaining("spec.nfs.readOnly: must be a boolean, not the number 5");
        assertThatThrownBy(
                        () -> patch("{\"metadata\":{\"labels\":{\"tier\":5}},\"spec\":{\"nfs\":{\"readOnly\":true}}}"))
                .isInstanceOf(RestFailure.class)
                .hasMessageContaining("metadata.labels.tier: must be a string, not the number 5");
    }

    private void patch(String body) {
        List<String> path = List.of("api", "v1", "persistentvolumes", "v");
        ApiRequest request = new ApiRequest("PATCH", path, Map.of(), "", "application/merge-patch+json", body);
        new Verbs(new ServedStore(store), CLOCK)
                .perform(request, RequestTarget.of(RESOURCES, path).orElseThrow());
    }
}
