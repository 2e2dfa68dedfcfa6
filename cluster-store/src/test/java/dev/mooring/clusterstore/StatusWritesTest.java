// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a write of the status does to the rest of an object: for each kind what Kubernetes' strategy for it does. */
class StatusWritesTest {
    private static final ObjectKey A = ObjectKey.cluster("a");
    private static final List<Object> OWNERS =
            List.of(Map.of("apiVersion", "v1", "kind", "Node", "name", "n", "uid", "u"));
    private static final List<Object> FINALIZERS = List.of("example.com/mine");
    private static final String[] LABEL = {"metadata", "labels", "tier"};
    private static final String[] ANNOTATION = {"metadata", "annotations", "note"};
    private static final String[] FINALIZER = {"metadata", "finalizers"};
    private static final String[] OWNER = {"metadata", "ownerReferences"};

    private final MemoryClusterStore store = new MemoryClusterStore(Stores.options());

    /**
     * A kind by what a write of its status takes.
     *
     * @param wanted a change of the status
     * @param metadata whether metadata goes with it
     * @param owners whether so do the owners
     * @param at where the status changes
     */
    private record Row(Kind<?> kind, Object wanted, boolean metadata, boolean owners, List<String> at) {
        String[] path() {
            return at.toArray(String[]::new);
        }

        @Override
        public String toString() {
            return kind.name();
        }
    }

    private static Stream<Row> rows() {
        return Stream.of(
                new Row(Kinds.NAMESPACE, "because", true, true, List.of("status", "reason")),
                new Row(Kinds.NODE, "1.2.3", true, true, List.of("status", "nodeInfo", "kubeletVersion")),
                new Row(Kinds.PERSISTENT_VOLUME, "Bound", true, true, List.of("status", "phase")),
                new Row(Kinds.PERSISTENT_VOLUME_CLAIM, "Bound", true, true, List.of("status", "phase")),
                new Row(Kinds.POD, "Running", true, false, List.of("status", "phase")),
                new Row(Kinds.VOLUME_ATTACHMENT, true, false, false, List.of("status", "attached")));
    }

    private static Document spec(Kind<?> kind) {
        if (kind == Kinds.PERSISTENT_VOLUME) {
            return Document.of(Map.of(
                    "capacity", Map.of("storage", "1Gi"),
                    "accessModes", List.of("ReadWriteOnce"),
                    "nfs", Map.of("server", "s", "path", "/p")));
        } else if (kind == Kinds.PERSISTENT_VOLUME_CLAIM) {
            return Document.of(Map.of(
                    "resources", Map.of("requests", Map.of("storage", "1Gi")),
                    "accessModes", List.of("ReadWriteOnce")));
        } else if (kind == Kinds.POD) {
            return Document.of(Map.of("nodeName", "n", "containers", List.of(Map.of("name", "c"))));
        } else if (kind == Kinds.VOLUME_ATTACHMENT) {
            return Document.of(Map.of(
                    "attacher", "a.example.com", "nodeName", "n", "source", Map.of("persistentVolumeName", "v")));
        }
        return Document.empty();
    }

    private static ObjectKey key(Kind<?> kind) {
        return kind.namespaced() ? ObjectKey.of("x", "a") : A;
    }

    private Document created(Kind<?> kind) {
        Document object =
                Document.empty().with("a", "metadata", "name").with(spec(kind).asMap(), "spec");
        return store.createDocument(kind, kind.namespaced() ? object.with("x", "metadata", "namespace") : object)
                .orThrow();
    }

    private static Document wanted(Row row, Document of) {
        return of.with("gold", LABEL)
                .with("n", ANNOTATION)
                .with(FINALIZERS, FINALIZER)
                .with(OWNERS, OWNER)
                .with("other", "spec", "strange")
                .with(row.wanted(), row.path());
    }

    private void hasTaken(Row row, Document before, Document after) {
        assertThat(after.at(row.path())).contains(row.wanted());
        assertThat(after.at("spec")).isEqualTo(before.at("spec"));
        assertThat(after.at("metadata", "generation")).isEqualTo(before.at("metadata", "generation"));
        assertThat(after.text(LABEL).isPresent()).isEqualTo(row.metadata());
        assertThat(after.text(ANNOTATION).isPresent()).isEqualTo(row.metadata());
        assertThat(after.at(FINALIZER).equals(Optional.of(FINALIZERS))).isEqualTo(row.metadata());
        assertThat(after.at(OWNER).isPresent()).isEqualTo(row.owners());
        assertThat(store.getDocument(row.kind(), key(row.kind())).orThrow()).isEqualTo(after);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aReplacementTakesWhatKubernetesTakes(Row row) {
        Document before = created(row.kind());
        hasTaken(
                row,
                before,
                store.replaceDocument(row.kind(), "status", wanted(row, before)).orThrow());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aPatchTakesTheSame(Row row) {
        Document before = created(row.kind());
        Document patch = wanted(row, Document.empty());
        hasTaken(
                row,
                before,
                store.patchDocument(row.kind(), key(row.kind()), "status", patch)
                        .orThrow());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void whatIsTheServersStays(Row row) {
        Document before = created(row.kind());
        Document bare = Document.empty().with("a", "metadata", "name").with(row.wanted(), row.path());
        bare = row.kind().namespaced() ? bare.with("x", "metadata", "namespace") : bare;
        Document after = store.replaceDocument(row.kind(), "status", bare).orThrow();
        for (String field : List.of("uid", "creationTimestamp", "generation")) {
            assertThat(after.at("metadata", field)).isEqualTo(before.at("metadata", field));
        }
        Document aged = after.with("2001-01-01T00:00:00Z", "metadata", "creationTimestamp");
        assertThat(store.replaceDocument(row.kind(), "status", aged).orThrow()).isEqualTo(after);
    }

    @Test
    void metadataThatGoesAlongKeepsItsRules() {
        created(Kinds.PERSISTENT_VOLUME);
        refused(Document.empty().with("not a value", LABEL), "metadata.labels: Invalid value");
        refused(Document.empty().with(List.of("mine"), FINALIZER), "metadata.finalizers[0]: Invalid value");
        refused(Document.empty().with("2001-01-01T00:00:00Z", "metadata", "deletionTimestamp"), "field is immutable");
        store.delete(Kinds.PERSISTENT_VOLUME, A, DeleteOptions.DEFAULT).orThrow();
        refused(
                Document.empty().with(List.of("kubernetes.io/pv-protection", "example.com/new"), FINALIZER),
                "no new finalizers can be added");
    }

    private void refused(Document patch, String message) {
        StoreResult<Document> result = store.patchDocument(Kinds.PERSISTENT_VOLUME, A, "status", patch);
        assertThat(result.failure()).contains(Failure.INVALID);
        assertThat(result.<String>match(ok -> "", StoreResult.Failed::message)).contains(message);
    }

    @Test
    void anObjectGoesWithTheLastFinalizerThatAStatusTakesAway() {
        created(Kinds.PERSISTENT_VOLUME);
        store.delete(Kinds.PERSISTENT_VOLUME, A, DeleteOptions.DEFAULT).orThrow();
        Document released = Document.empty().with(JsonNull.NULL, FINALIZER);
        store.patchDocument(Kinds.PERSISTENT_VOLUME, A, "status", released).orThrow();
        assertThat(store.getDocument(Kinds.PERSISTENT_VOLUME, A).failure()).contains(Failure.NOT_FOUND);
    }

    @Test
    void aPodIsNotMarkedAsGoingByItsStatus() {
        created(Kinds.POD);
        Document patch = Document.empty()
                .with("2001-01-01T00:00:00Z", "metadata", "deletionTimestamp")
                .with("Running", "status", "phase");
        Document after =
                store.patchDocument(Kinds.POD, key(Kinds.POD), "status", patch).orThrow();
        assertThat(Fields.isDeleting(after)).isFalse();
        assertThat(after.text("status", "phase")).contains("Running");
    }

    @Test
    void theNameOfANamespaceStaysAmongItsLabels() {
        created(Kinds.NAMESPACE);
        Document patch = Document.empty().with(JsonNull.NULL, "metadata", "labels");
        assertThat(store.patchDocument(Kinds.NAMESPACE, A, "status", patch)
                        .orThrow()
                        .text("metadata", "labels", "kubernetes.io/metadata.name"))
                .contains("a");
    }
}
