// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.DeleteOptions.Propagation;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Fields of pods that the server gives a meaning, and what a second deletion may still say. */
class PodFieldsTest {
    private static final ObjectKey POD = ObjectKey.of("x", "p");

    private final Stores.Hands clock = new Stores.Hands();
    private final MemoryClusterStore store = new MemoryClusterStore(Stores.options(clock));

    private static Document pod(Map<String, ?> fields) {
        Document spec = Document.of(Map.of("containers", List.of(Map.of("name", "c"))));
        for (Map.Entry<String, ?> each : fields.entrySet()) {
            spec = spec.with(each.getValue(), each.getKey());
        }
        return Document.of(Map.of("metadata", Map.of("name", "p", "namespace", "x"), "spec", spec.asMap()));
    }

    private static void assertFailed(StoreResult<?> result, String message) {
        assertThat(result.failure()).as("%s", result).contains(Failure.INVALID);
        assertThat(result.<String>match(ok -> "", StoreResult.Failed::message)).contains(message);
    }

    @Test
    void theOldNameOfTheAccountMeansTheSame() {
        Document made = store.createDocument(Kinds.POD, pod(Map.of("serviceAccount", "robot")))
                .orThrow();
        assertThat(made.text("spec", "serviceAccountName")).contains("robot");
        // A client that replaces it with what was created changes nothing.
        assertThat(store.replaceDocument(Kinds.POD, "", pod(Map.of("serviceAccount", "robot")))
                        .failure())
                .isEmpty();
        assertFailed(store.replaceDocument(Kinds.POD, "", pod(Map.of("serviceAccount", "other"))), "pod updates may");
    }

    @Test
    void aPodStoredWithTheOldNameOfTheAccountCanStillBeChanged() {
        store.loadDocument(
                        Kinds.POD,
                        pod(Map.of(
                                "serviceAccount",
                                "robot",
                                "restartPolicy",
                                "Always",
                                "terminationGracePeriodSeconds",
                                30L)))
                .orThrow();
        assertThat(store.patchDocument(Kinds.POD, POD, "", Document.empty().with("b", "metadata", "labels", "a"))
                        .failure())
                .isEmpty();
    }

    @Test
    void gatesCanBeTakenAwayAndNotAdded() {
        List<?> both = List.of(Map.of("name", "example.com/a"), Map.of("name", "example.com/b"));
        assertFailed(
                store.createDocument(Kinds.POD, pod(Map.of("schedulingGates", both, "nodeName", "n"))),
                "spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared");
        assertFailed(
                store.createDocument(Kinds.POD, pod(Map.of("schedulingGates", List.of(Map.of("name", "-"))))),
                "spec.schedulingGates[0]");
        store.createDocument(Kinds.POD, pod(Map.of("schedulingGates", both))).orThrow();
        Document one = Document.empty().with(List.of(both.get(1)), "spec", "schedulingGates");
        store.patchDocument(Kinds.POD, POD, "", one).orThrow();
        assertFailed(
                store.patchDocument(Kinds.POD, POD, "", Document.empty().with(both, "spec", "schedulingGates")),
                "spec.schedulingGates: Forbidden: only deletion is allowed, but found new scheduling gate 'example.com/a'");
        store.patchDocument(Kinds.POD, POD, "", Document.empty().with(List.of(), "spec", "schedulingGates"))
                .orThrow();
    }

    private void assertChange(Object value, String field, String refusal) {
        StoreResult<Document> result =
                store.patchDocument(Kinds.POD, POD, "", Document.empty().with(value, "spec", field));
        if (refusal.isEmpty()) {
            assertThat(result.failure()).as("%s", result).isEmpty();
        } else {
            assertFailed(result, refusal);
        }
    }

    @Test
    void tolerationsAreAddedAndOnlyTheirTimeChanges() {
        Map<String, Object> old = Map.of("key", "a", "operator", "Exists", "effect", "NoExecute");
        Map<String, Object> other = Map.of("key", "b", "operator", "Exists");
        String refusal =
                "spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds";
        store.createDocument(Kinds.POD, pod(Map.of("tolerations", List.of(old))))
                .orThrow();
        assertChange(List.of(other), "tolerations", refusal);
        assertChange(List.of(), "tolerations", refusal);
        assertChange(List.of(Map.of("key", "a", "operator", "Exists")), "tolerations", refusal);
        Map<String, Object> timed =
                Map.of("key", "a", "operator", "Exists", "effect", "NoExecute", "value", "", "tolerationSeconds", 5L);
        assertChange(List.of(other, timed), "tolerations", "");
    }

    @Test
    void aDeadlineIsSetAndLowered() {
        store.createDocument(Kinds.POD, pod(Map.of())).orThrow();
        String field = "activeDeadlineSeconds";
        assertChange(-1L, field, "spec.activeDeadlineSeconds: Invalid value: -1: must be between 0 and 2147483647");
        assertChange(60L, field, "");
        assertChange(61L, field, "Invalid value: 61: must be less than or equal to previous value");
        assertChange(JsonNull.NULL, field, "must not update from a positive integer to nil value");
        assertChange(30L, field, "");
    }

    @Test
    void theGracePeriodAndEphemeralContainersStay() {
        store.createDocument(Kinds.POD, pod(Map.of())).orThrow();
        assertChange(5L, "terminationGracePeriodSeconds", "spec: Forbidden: pod updates may not change");
        assertChange(List.of(Map.of("name", "e")), "ephemeralContainers", "spec: Forbidden: pod updates may not");
        assertChange(List.of(), "ephemeralContainers", "");
        store.loadDocument(Kinds.POD, pod(Map.of("terminationGracePeriodSeconds", -1L)))
                .orThrow();
        assertChange(2L, "terminationGracePeriodSeconds", "spec: Forbidden: pod updates may not change");
        assertChange(1L, "terminationGracePeriodSeconds", "");
    }

    @Test
    void aSecondDeletionMaySayAnotherThingOfDependents() {
        Document map = Document.of(Map.of("metadata", Map.of("name", "m", "namespace", "x")));
        ObjectKey key = ObjectKey.of("x", "m");
        store.createDocument(Kinds.CONFIG_MAP, map).orThrow();
        store.delete(Kinds.CONFIG_MAP, key, propagating(Propagation.FOREGROUND)).orThrow();
        assertThat(finalizers(key)).contains(List.of("foregroundDeletion"));
        store.delete(Kinds.CONFIG_MAP, key, propagating(Propagation.FOREGROUND)).orThrow();
        store.delete(Kinds.CONFIG_MAP, key, propagating(Propagation.ORPHAN)).orThrow();
        assertThat(finalizers(key)).contains(List.of("orphan"));
        assertThat(store.delete(Kinds.CONFIG_MAP, key, propagating(Propagation.BACKGROUND))
                        .orThrow()
                        .removed())
                .isTrue();
    }

    private static DeleteOptions propagating(Propagation how) {
        return new DeleteOptions("", Optional.empty(), Optional.empty(), how);
    }

    private Optional<Object> finalizers(ObjectKey key) {
        return store.getDocument(Kinds.CONFIG_MAP, key).orThrow().at("metadata", "finalizers");
    }

    @Test
    void eventsAreSelectedByWhoToldThem() {
        Document event = Document.of(Map.of(
                "metadata", Map.of("name", "e", "namespace", "x"),
                "involvedObject", Map.of("kind", "Pod", "namespace", "x", "name", "p"),
                "source", Map.of("component", "scheduler")));
        store.createDocument(Kinds.EVENT, event).orThrow();
        Document other = event.with("f", "metadata", "name").with("other", "source", "component");
        store.createDocument(Kinds.EVENT, other).orThrow();
        ListOptions told = new ListOptions("", ListOptions.ALL.labels(), "source=scheduler", 0, "");
        assertThat(store.listDocuments(Kinds.EVENT, told).orThrow().items()).hasSize(1);
    }
}
