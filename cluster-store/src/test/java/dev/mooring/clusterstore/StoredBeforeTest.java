// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import static dev.mooring.clusterstore.Stores.assertFailed;
import static dev.mooring.clusterstore.Stores.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What was stored before a rule came that refuses it today: which changes it still takes. */
class StoredBeforeTest {
    private static final Kind<?> PV = Kinds.PERSISTENT_VOLUME;
    private static final ObjectKey A = ObjectKey.cluster("a");

    private final MemoryClusterStore store = new MemoryClusterStore(Stores.options());

    private Document patch(String subresource, Object value, String... path) {
        return store.patchDocument(PV, A, subresource, Document.empty().with(value, path))
                .orThrow();
    }

    private static Document wrongToday() {
        return volume().without("spec", "nfs")
                .with(Map.of("targetPortal", "a", "iqn", "x", "lun", 0L), "spec", "iscsi")
                .with(List.of("kubernetes.io/pv-protection", "example.com/mine"), "metadata", "finalizers");
    }

    /** A rule that is newer than the stored object does not prevent its deletion. */
    @Test
    void whatWasWrongBeforeIsBorneWhileItGoes() {
        store.loadDocument(PV, wrongToday()).orThrow();
        store.delete(PV, A, DeleteOptions.DEFAULT).orThrow();
        Document worse = Document.empty().with(List.of("ReadWriteMore"), "spec", "accessModes");
        assertFailed(store.patchDocument(PV, A, "", worse), Failure.INVALID, "ReadWriteMore");
        Document released = Document.empty().with(List.of(), "metadata", "finalizers");
        store.patchDocument(PV, A, "", released).orThrow();
        assertFailed(store.get(PV, A), Failure.NOT_FOUND, "");
    }

    @Test
    void whatWasWrongBeforeIsBorneByChangesOfMetadataAndOfTheStatus() {
        store.loadDocument(PV, wrongToday()).orThrow();
        assertThat(patch("", "gold", "metadata", "labels", "tier").text("metadata", "labels", "tier"))
                .contains("gold");
        assertThat(patch("", "b", "metadata", "annotations", "a").text("metadata", "annotations", "a"))
                .contains("b");
        assertThat(patch("", List.of("example.com/mine"), "metadata", "finalizers")
                        .at("metadata", "finalizers"))
                .contains(List.of("example.com/mine"));
        assertThat(patch("status", "Released", "status", "phase").text("status", "phase"))
                .contains("Released");
        Document label = Document.empty().with("not a value", "metadata", "labels", "tier");
        assertFailed(store.patchDocument(PV, A, "", label), Failure.INVALID, "metadata.labels: Invalid value");
        Document spec = Document.empty().with("gold", "spec", "storageClassName");
        assertFailed(store.patchDocument(PV, A, "", spec), Failure.INVALID, "spec.iscsi.iqn");
    }

    /** An old taint that is refused today must not keep out the taint that says that the machine has gone. */
    @Test
    void aNodeWithATaintThatWouldBeRefusedTodayTakesOthers() {
        Map<String, Object> old = Map.of("key", "old", "value", "not a value", "effect", "NoSchedule");
        Map<String, Object> added = Map.of("key", "node.kubernetes.io/not-ready", "effect", "NoExecute");
        Document node = Document.empty()
                .with("v1", "apiVersion")
                .with("Node", "kind")
                .with("a", "metadata", "name")
                .with(List.of(old), "spec", "taints");
        store.loadDocument(Kinds.NODE, node).orThrow();

        Document both = Document.empty().with(List.of(added, old), "spec", "taints");
        store.patchDocument(Kinds.NODE, A, "", both).orThrow();

        Document worse = Document.empty()
                .with(List.of(Map.of("key", "b", "value", "x y", "effect", "NoSchedule")), "spec", "taints");
        assertFailed(store.patchDocument(Kinds.NODE, A, "", worse), Failure.INVALID, "metadata.taints[0].value");
    }

    /** What is before it in the list may go first. */
    @Test
    void aFinalizerThatWouldBeRefusedTodayIsBorneWhereverItStands() {
        List<String> old = List.of("kubernetes.io/pv-protection", "mine");
        store.loadDocument(PV, volume().with(old, "metadata", "finalizers")).orThrow();
        store.delete(PV, A, DeleteOptions.DEFAULT).orThrow();
        patch("", List.of("mine"), "metadata", "finalizers");
        patch("", List.of(), "metadata", "finalizers");
        assertFailed(store.get(PV, A), Failure.NOT_FOUND, "");
    }

    @Test
    void aStatusThatWouldBeRefusedTodayIsBorneUntilItIsChanged() {
        store.loadDocument(PV, volume().with("Odd", "status", "phase")).orThrow();
        assertThat(patch("status", "because", "status", "reason").text("status", "reason"))
                .contains("because");
        Document odder = Document.empty().with("Odder", "status", "phase");
        assertFailed(store.patchDocument(PV, A, "status", odder), Failure.INVALID, "Odder");
    }
}
