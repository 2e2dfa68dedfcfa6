// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.collection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.DeleteOptions.Propagation;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Owners and dependents in a real store. */
class GarbageCollectionTest {
    private final MemoryClusterStore store = new MemoryClusterStore(
            StoreOptions.of(Kinds.standard(), InstantSource.fixed(Instant.EPOCH), IdSource.random(new Random(1))));
    private final Collector collector = new Collector(store);

    private Document create(String name, Document... owners) {
        return create(name, true, owners);
    }

    private Document create(String name, boolean blocking, Document... owners) {
        List<Object> references = new java.util.ArrayList<>();
        for (Document owner : owners) {
            references.add(reference(owner, blocking));
        }
        Document object =
                Document.of(Map.of("metadata", Map.of("name", name, "namespace", "x", "ownerReferences", references)));
        return store.createDocument(Kinds.CONFIG_MAP, object).orThrow();
    }

    private static Map<String, Object> reference(Document owner, boolean blocking) {
        Map<String, Object> reference = new LinkedHashMap<>();
        reference.put("apiVersion", "v1");
        reference.put("kind", owner.text("kind").orElseThrow());
        reference.put("name", owner.text("metadata", "name").orElseThrow());
        reference.put("uid", owner.text("metadata", "uid").orElseThrow());
        reference.put("blockOwnerDeletion", blocking);
        return reference;
    }

    private void delete(String name, Propagation propagation) {
        store.deleteObject(
                        Kinds.CONFIG_MAP,
                        ObjectKey.of("x", name),
                        new DeleteOptions("", Optional.empty(), Optional.empty(), propagation))
                .orThrow();
    }

    private List<String> left() {
        return store.listDocuments(Kinds.CONFIG_MAP).orThrow().items().stream()
                .map(object -> object.text("metadata", "name").orElseThrow())
                .toList();
    }

    @Test
    void nothingToDoWritesNothing() {
        create("b", create("a"));
        assertThat(collector.sweep()).isZero();
        assertThat(left()).containsExactly("a", "b");
    }

    @Test
    void dependentsGoAfterTheirOwnerDownTheChain() {
        create("c", create("b", create("a")));
        delete("a", Propagation.BACKGROUND);
        assertThat(left()).containsExactly("b", "c");
        assertThat(collector.sweep()).isEqualTo(2);
        assertThat(left()).isEmpty();
    }

    @Test
    void oneOwnerIsEnough() {
        Document other = create("o");
        create("b", create("a"), other);
        delete("a", Propagation.BACKGROUND);
        assertThat(collector.sweep()).isOne();
        assertThat(left()).containsExactly("b", "o");
        Document kept =
                store.getDocument(Kinds.CONFIG_MAP, ObjectKey.of("x", "b")).orThrow();
        assertThat(kept.at("metadata", "ownerReferences")).contains(List.of(reference(other, true)));
    }

    @Test
    void anOwnerOfTheSameNameButAnotherUidIsNone() {
        create("b", create("a"));
        delete("a", Propagation.BACKGROUND);
        create("a");
        collector.sweep();
        assertThat(left()).containsExactly("a");
    }

    @Test
    void anOwnerInAnotherNamespaceIsNone() {
        Document far = store.createDocument(
                        Kinds.CONFIG_MAP, Document.of(Map.of("metadata", Map.of("name", "a", "namespace", "y"))))
                .orThrow();
        create("b", far);
        collector.sweep();
        assertThat(left()).containsExactly("a");
    }

    @Test
    void anOwnerOfAnUnknownKindCountsAsThere() {
        Document stranger = Document.of(Map.of("kind", "Deployment", "metadata", Map.of("name", "d", "uid", "u")));
        create("b", stranger);
        assertThat(collector.sweep()).isZero();
        assertThat(left()).containsExactly("b");
    }

    @Test
    void orphansStayWithoutTheirOwner() {
        create("b", create("a"));
        delete("a", Propagation.ORPHAN);
        assertThat(left()).containsExactly("a", "b");
        collector.sweep();
        assertThat(left()).containsExactly("b");
        Document kept =
                store.getDocument(Kinds.CONFIG_MAP, ObjectKey.of("x", "b")).orThrow();
        assertThat(kept.at("metadata", "ownerReferences")).isEmpty();
    }

    @Test
    void inTheForegroundDependentsGoFirst() {
        Document a = create("a");
        Document b = create("b", a);
        create("c", b);
        hold("c");
        delete("a", Propagation.FOREGROUND);
        collector.sweep();
        assertThat(left()).containsExactly("a", "b", "c");
        release("c");
        collector.sweep();
        assertThat(left()).isEmpty();
    }

    @Test
    void aDependentThatDoesNotBlockDelaysNothing() {
        create("b", false, create("a"));
        hold("b");
        delete("a", Propagation.FOREGROUND);
        collector.sweep();
        assertThat(left()).containsExactly("b");
    }

    @Test
    void anOwnerWithoutDependentsGoes() {
        create("a");
        create("b");
        delete("a", Propagation.FOREGROUND);
        delete("b", Propagation.ORPHAN);
        collector.sweep();
        assertThat(left()).isEmpty();
    }

    @Test
    void aClaimOfAPodIsHeldByItsProtection() {
        Document pod = store.createDocument(
                        Kinds.POD,
                        Document.of(Map.of(
                                "metadata", Map.of("name", "p", "namespace", "x"),
                                "spec", Map.of("containers", List.of(Map.of("name", "c"))))))
                .orThrow();
        Document claim = Document.of(Map.of(
                "metadata", Map.of("name", "p-v", "namespace", "x", "ownerReferences", List.of(reference(pod, true))),
                "spec",
                        Map.of(
                                "accessModes", List.of("ReadWriteOnce"),
                                "resources", Map.of("requests", Map.of("storage", "1Gi")))));
        store.createDocument(Kinds.PERSISTENT_VOLUME_CLAIM, claim).orThrow();
        store.deleteObject(Kinds.POD, ObjectKey.of("x", "p"), DeleteOptions.DEFAULT)
                .orThrow();
        assertThat(collector.sweep()).isOne();
        Document held = store.getDocument(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of("x", "p-v"))
                .orThrow();
        assertThat(held.at("metadata", "deletionTimestamp")).isPresent();
    }

    private void hold(String name) {
        finalizers(name, List.of("example.com/hold"));
    }

    private void release(String name) {
        finalizers(name, List.of());
    }

    private void finalizers(String name, List<String> finalizers) {
        store.patchDocument(
                        Kinds.CONFIG_MAP,
                        ObjectKey.of("x", name),
                        "",
                        Document.empty().with(finalizers, "metadata", "finalizers"))
                .orThrow();
    }
}
