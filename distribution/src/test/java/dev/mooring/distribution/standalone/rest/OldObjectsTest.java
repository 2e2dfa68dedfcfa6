// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.distribution.standalone.resource.Resources;
import dev.mooring.runtime.store.IdSource;
import dev.mooring.runtime.store.MemoryClusterStore;
import dev.mooring.runtime.store.StoreOptions;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Replacements of what was stored before the types of sources were looked at. */
class OldObjectsTest {
    private static final Resources RESOURCES = Resources.of(Kinds.standard());
    private static final KubernetesJson JSON = KubernetesJson.standard();
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.EPOCH);

    private final MemoryClusterStore store =
            new MemoryClusterStore(StoreOptions.of(Kinds.standard(), CLOCK, IdSource.random(new Random(1))));

    @BeforeEach
    void storesAVolumeWithATextForAFlag() {
        store.loadDocument(Kinds.PERSISTENT_VOLUME, Bodies.json("""
                        {"metadata":{"name":"v"},"spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],
                        "persistentVolumeReclaimPolicy":"Retain","nfs":{"server":"s","path":"/p","readOnly":"true"}}}""")).orThrow();
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
                .perform(request, Target.of(RESOURCES, path).orElseThrow());
    }

    @Test
    void takeLabelsAndAStatus() {
        put(stored().with("gold", "metadata", "labels", "tier"));
        put(stored().with("Released", "status", "phase"), "status");

        assertThat(stored().text("metadata", "labels", "tier")).contains("gold");
        assertThat(stored().text("status", "phase")).contains("Released");
    }

    @Test
    void doNotGetWorse() {
        assertThatThrownBy(() -> put(stored().with(Map.of("path", "/tmp", "type", 5L), "spec", "hostPath")))
                .isInstanceOf(RestFailure.class)
                .hasMessageContaining("spec.hostPath.type: must be a text");
    }
}
