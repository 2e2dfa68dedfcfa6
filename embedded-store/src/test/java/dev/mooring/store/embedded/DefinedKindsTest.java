// SPDX-License-Identifier: Apache-2.0
package dev.mooring.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.clusterstore.StoredKinds;
import dev.mooring.clusterstore.customresources.CustomResource;
import dev.mooring.clusterstore.customresources.CustomResourceDefinition;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.DeleteOptions;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store that is opened again knows the kinds that were defined in it, and their objects. */
class DefinedKindsTest {
    private static final EmbeddedStoreLimits FORGETFUL = new EmbeddedStoreLimits(10, 1 << 20);
    private static final ObjectKey NAME = ObjectKey.cluster("things.example.com");

    @TempDir
    private Path directory = Path.of("");

    private EmbeddedClusterStore open() {
        return EmbeddedClusterStore.open(
                directory.resolve("cluster.db"),
                StoreOptions.of(StoredKinds.withStandard(), InstantSource.system(), IdSource.random(new Random(1))),
                FORGETFUL);
    }

    private static Document json(String text) {
        return KubernetesJson.standard().read(text, "test");
    }

    private static Document definition(String storage) {
        String version = """
                {"name":"%s","served":true,"storage":%s,"schema":{"openAPIV3Schema":{"type":"object","properties":{
                 "size":{"type":"integer","default":3}}}}}""";
        return json(
                "{\"metadata\":{\"name\":\"things.example.com\"},\"spec\":{\"group\":\"example.com\",\"scope\":\"Cluster\","
                        + "\"names\":{\"plural\":\"things\",\"kind\":\"Thing\"},\"versions\":["
                        + version.formatted("v1", storage.equals("v1")) + ","
                        + version.formatted("v2", storage.equals("v2"))
                        + "]}}");
    }

    private static Kind<?> kind(EmbeddedClusterStore store, String version) {
        return store.customResources().served().stream()
                .filter(each -> each.version().name().equals(version))
                .map(CustomResource::kind)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theKindsAndTheirObjectsAreThereAfterAStart() {
        try (EmbeddedClusterStore store = open()) {
            store.createDocument(CustomResourceDefinition.KIND, definition("v1"))
                    .orThrow();
            store.createDocument(kind(store, "v1"), json("{\"metadata\":{\"name\":\"a\"}}"))
                    .orThrow();
            Document now =
                    store.getDocument(CustomResourceDefinition.KIND, NAME).orThrow();
            Document other = now.with(definition("v2").at("spec", "versions").orElseThrow(), "spec", "versions");
            store.replaceDocument(CustomResourceDefinition.KIND, "", other).orThrow();
            store.createDocument(kind(store, "v2"), json("{\"metadata\":{\"name\":\"b\"}}"))
                    .orThrow();
            for (int i = 0; i < 20; i++) { // so that the history of the definition is forgotten
                store.createDocument(Kinds.NAMESPACE, json("{\"metadata\":{\"name\":\"other-" + i + "\"}}"));
            }
            assertThat(store.getDocument(CustomResourceDefinition.KIND, NAME)
                            .orThrow()
                            .at("status", "storedVersions"))
                    .contains(List.of("v1", "v2"));
        }
        try (EmbeddedClusterStore store = open()) {
            assertThat(store.listDocuments(kind(store, "v2")).orThrow().items())
                    .extracting(each -> each.text("metadata", "name").orElse("")
                            + each.at("size").orElse("")
                            + each.text("apiVersion").orElse(""))
                    .containsExactly("a3example.com/v2", "b3example.com/v2");
        }
    }

    @Test
    void aDefinitionThatHasGoneLeavesAFileThatCanBeOpened() {
        try (EmbeddedClusterStore store = open()) {
            store.createDocument(CustomResourceDefinition.KIND, definition("v1"))
                    .orThrow();
            store.createDocument(kind(store, "v1"), json("{\"metadata\":{\"name\":\"a\"}}"))
                    .orThrow();
            store.deleteObject(CustomResourceDefinition.KIND, NAME, DeleteOptions.DEFAULT)
                    .orThrow();
            assertThat(store.getDocument(CustomResourceDefinition.KIND, NAME).value())
                    .isEmpty();
        }
        try (EmbeddedClusterStore store = open()) {
            assertThat(store.customResources().served()).isEmpty();
            store.createDocument(CustomResourceDefinition.KIND, definition("v1"))
                    .orThrow();
            assertThat(store.listDocuments(kind(store, "v1")).orThrow().items()).isEmpty();
        }
    }
}
