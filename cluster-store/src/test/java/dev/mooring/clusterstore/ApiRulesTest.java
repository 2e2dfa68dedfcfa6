// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import static dev.mooring.clusterstore.Stores.assertFailed;
import static dev.mooring.clusterstore.Stores.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.DeleteOptions.Propagation;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Defaults, admission, times and deletion, seen through the document side of the store. */
class ApiRulesTest {
    private static final Kind<?> PV = Kinds.PERSISTENT_VOLUME;
    private static final Kind<?> PVC = Kinds.PERSISTENT_VOLUME_CLAIM;
    private static final ObjectKey A = ObjectKey.cluster("a");
    private static final ObjectKey XC = ObjectKey.of("x", "c");
    private static final ObjectKey XP = ObjectKey.of("x", "p");

    private final Stores.Hands clock = new Stores.Hands();
    private final MemoryClusterStore store = new MemoryClusterStore(Stores.options(clock));

    private static Document claim() {
        return Document.of(Map.of(
                "metadata", Map.of("name", "c", "namespace", "x"),
                "spec",
                        Map.of(
                                "resources", Map.of("requests", Map.of("storage", "1Gi")),
                                "accessModes", List.of("ReadWriteOnce"))));
    }

    private static Document storageClass(String name, boolean isDefault) {
        return Document.of(Map.of(
                "metadata",
                Map.of(
                        "name",
                        name,
                        "annotations",
                        Map.of("storageclass.kubernetes.io/is-default-class", "" + isDefault)),
                "provisioner",
                "example.com/disk"));
    }

    private static Document pod(String node) {
        return Document.of(Map.of(
                "metadata", Map.of("name", "p", "namespace", "x"),
                "spec", Map.of("nodeName", node, "containers", List.of(Map.of("name", "c")))));
    }

    private Document patch(Kind<?> kind, ObjectKey key, String subresource, Object value, String... path) {
        return store.patchDocument(kind, key, subresource, Document.empty().with(value, path))
                .orThrow();
    }

    @Test
    void aNewVolumeIsFilledInAndProtected() {
        Document created = store.createDocument(PV, volume()).orThrow();
        assertThat(created.text("spec", "volumeMode")).contains("Filesystem");
        assertThat(created.text("spec", "persistentVolumeReclaimPolicy")).contains("Retain");
        assertThat(created.text("status", "phase")).contains("Pending");
        assertThat(created.text("status", "lastPhaseTransitionTime")).contains("2000-01-01T00:00:00Z");
        assertThat(created.text("metadata", "creationTimestamp")).contains("2000-01-01T00:00:00Z");
        assertThat(created.at("metadata", "finalizers")).contains(List.of("kubernetes.io/pv-protection"));
        assertThat(created.at("metadata", "generation")).contains(1L);
    }

    /** As a kubelet registers; what is new of any other kind has the server's status. */
    @Test
    void aNewNodeKeepsItsStatus() {
        Document node =
                Document.empty().with("n1", "metadata", "name").with("1.2.3", "status", "nodeInfo", "kubeletVersion");
        Document created = store.createDocument(Kinds.NODE, node).orThrow();
        assertThat(created.text("status", "nodeInfo", "kubeletVersion")).contains("1.2.3");
        Document again = node.with("4.5.6", "status", "nodeInfo", "kubeletVersion");
        Document merged = store.applyDocument(Kinds.NODE, again).orThrow();
        assertThat(merged.text("status", "nodeInfo", "kubeletVersion")).contains("1.2.3");
        assertThat(store.createDocument(PV, volume().with("Bound", "status", "phase"))
                        .orThrow()
                        .text("status", "phase"))
                .contains("Pending");
    }

    @Test
    void theNameOfANamespaceStaysAmongItsLabels() {
        String[] label = {"metadata", "labels", "kubernetes.io/metadata.name"};
        Document made = store.createDocument(Kinds.NAMESPACE, Document.empty().with("a", "metadata", "name"))
                .orThrow();
        assertThat(made.text(label)).contains("a");
        assertThat(patch(Kinds.NAMESPACE, A, "", "b", label).text(label)).contains("a");
        assertThat(patch(Kinds.NAMESPACE, A, "", JsonNull.NULL, "metadata", "labels")
                        .text(label))
                .contains("a");
        Document wrong = Document.empty().with("x", "metadata", "labels");
        assertFailed(store.patchDocument(Kinds.NAMESPACE, A, "", wrong), Failure.INVALID, "metadata.labels");
    }

    @Test
    void aNewClassIsFilledIn() {
        Document created = store.createDocument(Kinds.STORAGE_CLASS, storageClass("gold", false))
                .orThrow();
        assertThat(created.text("reclaimPolicy")).contains("Delete");
        assertThat(created.text("volumeBindingMode")).contains("Immediate");
    }

    @Test
    void aClaimWithoutClassGetsTheNewestDefault() {
        store.createDocument(Kinds.STORAGE_CLASS, storageClass("old", true)).orThrow();
        clock.advance(Duration.ofSeconds(1));
        store.createDocument(Kinds.STORAGE_CLASS, storageClass("new-b", true)).orThrow();
        store.createDocument(Kinds.STORAGE_CLASS, storageClass("new-a", true)).orThrow();
        clock.advance(Duration.ofSeconds(1));
        store.createDocument(Kinds.STORAGE_CLASS, storageClass("none", false)).orThrow();
        Document created = store.createDocument(PVC, claim()).orThrow();
        assertThat(created.text("spec", "storageClassName")).contains("new-a");
        assertThat(created.at("metadata", "finalizers")).contains(List.of("kubernetes.io/pvc-protection"));
        assertThat(created.text("status", "phase")).contains("Pending");
    }

    @Test
    void aClaimThatNamesAClassKeepsIt() {
        store.createDocument(Kinds.STORAGE_CLASS, storageClass("gold", true)).orThrow();
        Document none = store.createDocument(PVC, claim().with("", "spec", "storageClassName"))
                .orThrow();
        assertThat(none.text("spec", "storageClassName")).contains("");
        Document annotated = claim().with("d", "metadata", "name")
                .with("old", "metadata", "annotations", "volume.beta.kubernetes.io/storage-class");
        assertThat(store.createDocument(PVC, annotated).orThrow().at("spec", "storageClassName"))
                .isEmpty();
    }

    @Test
    void dataSourcesAreCopiedAndStrangersDropped() {
        Map<String, Object> other = Map.of("kind", "PersistentVolumeClaim", "name", "o");
        Document one = store.createDocument(PVC, claim().with(other, "spec", "dataSource"))
                .orThrow();
        assertThat(one.at("spec", "dataSourceRef")).contains(other);
        Map<String, Object> stranger = Map.of("apiGroup", "example.com", "kind", "Populator", "name", "o");
        Document two = store.createDocument(
                        PVC, claim().with("d", "metadata", "name").with(stranger, "spec", "dataSource"))
                .orThrow();
        assertThat(two.at("spec", "dataSource")).isEmpty();
        Document three = store.createDocument(
                        PVC, claim().with("e", "metadata", "name").with(stranger, "spec", "dataSourceRef"))
                .orThrow();
        assertThat(three.at("spec", "dataSource")).contains(stranger);
    }

    @Test
    void onlyBoundClaimsOfAClassThatAllowsItGrow() {
        String[] request = {"spec", "resources", "requests", "storage"};
        Document bigger = Document.empty().with("2Gi", request);
        store.createDocument(Kinds.STORAGE_CLASS, storageClass("gold", true)).orThrow();
        store.createDocument(PVC, claim()).orThrow();
        assertFailed(store.patchDocument(PVC, XC, "", bigger), Failure.INVALID, "spec is immutable");
        patch(PVC, XC, "status", "Bound", "status", "phase");
        assertFailed(
                store.patchDocument(PVC, XC, "", bigger),
                Failure.FORBIDDEN,
                "persistentvolumeclaims \"c\" is forbidden: only dynamically provisioned pvc can be resized");
        patch(Kinds.STORAGE_CLASS, ObjectKey.cluster("gold"), "", true, "allowVolumeExpansion");
        assertThat(store.patchDocument(PVC, XC, "", bigger).orThrow().text(request))
                .contains("2Gi");
    }

    @Test
    void thePhaseOfAVolumeHasATime() {
        store.createDocument(PV, volume()).orThrow();
        String[] time = {"status", "lastPhaseTransitionTime"};
        clock.advance(Duration.ofMinutes(1));
        assertThat(patch(PV, A, "status", "m", "status", "message").text(time)).contains("2000-01-01T00:00:00Z");
        assertThat(patch(PV, A, "status", "Available", "status", "phase").text(time))
                .contains("2000-01-01T00:01:00Z");
        Document explicit = Document.empty()
                .with("Bound", "status", "phase")
                .with("2001-01-01T00:00:00Z", "status", "lastPhaseTransitionTime");
        assertThat(store.patchDocument(PV, A, "status", explicit).orThrow().text(time))
                .contains("2001-01-01T00:00:00Z");
        clock.advance(Duration.ofMinutes(1));
        assertThat(patch(PV, A, "status", JsonNull.NULL, "status", "lastPhaseTransitionTime")
                        .text(time))
                .contains("2001-01-01T00:00:00Z");
    }

    @Test
    void theGenerationCountsChangesOfTheSpec() {
        store.createDocument(PV, volume()).orThrow();
        assertThat(patch(PV, A, "", "gold", "spec", "storageClassName").at("metadata", "generation"))
                .contains(2L);
        assertThat(patch(PV, A, "", "b", "metadata", "labels", "a").at("metadata", "generation"))
                .contains(2L);
        assertThat(patch(PV, A, "status", "Bound", "status", "phase").at("metadata", "generation"))
                .contains(2L);
    }

    @Test
    void applyCreatesThenMergesAllButTheStatus() {
        assertThat(store.applyDocument(PV, volume()).orThrow().at("metadata", "generation"))
                .contains(1L);
        patch(PV, A, "", "b", "metadata", "labels", "a");
        Document again = volume().with("Bound", "status", "phase").with("gold", "spec", "storageClassName");
        Document merged = store.applyDocument(PV, again).orThrow();
        assertThat(merged.text("metadata", "labels", "a")).contains("b");
        assertThat(merged.text("spec", "storageClassName")).contains("gold");
        assertThat(merged.text("status", "phase")).contains("Pending");
        assertFailed(
                store.applyDocument(PV, again.with("1", "metadata", "resourceVersion")),
                Failure.CONFLICT,
                "Operation cannot");
        assertFailed(
                store.applyDocument(PV, again.with("u", "metadata", "uid")),
                Failure.CONFLICT,
                "UID in precondition: u");
    }

    @Test
    void aPatchRemovesWithNullAndKeepsToItsPart() {
        store.createDocument(PV, volume().with("gold", "spec", "storageClassName"))
                .orThrow();
        assertThat(patch(PV, A, "", JsonNull.NULL, "spec", "storageClassName").at("spec", "storageClassName"))
                .isEmpty();
        assertThat(patch(PV, A, "", "Bound", "status", "phase").text("status", "phase"))
                .contains("Pending");
        assertThat(patch(PV, A, "status", "gold", "spec", "storageClassName").at("spec", "storageClassName"))
                .isEmpty();
        Document none = Document.empty();
        assertFailed(store.patchDocument(PV, A, "scale", none), Failure.NOT_FOUND, "could not find");
        assertFailed(store.patchDocument(Kinds.STORAGE_CLASS, A, "status", none), Failure.NOT_FOUND, "could not find");
    }

    @Test
    void aReplacementHasPreconditionsAndKeepsTheStatus() {
        Document created = store.createDocument(PV, volume()).orThrow();
        patch(PV, A, "status", "Bound", "status", "phase");
        assertFailed(store.replaceDocument(PV, "", created), Failure.CONFLICT, "the object has been modified");
        Document wanted = created.without("metadata", "resourceVersion").with("gold", "spec", "storageClassName");
        Document replaced = store.replaceDocument(PV, "", wanted).orThrow();
        assertThat(replaced.text("spec", "storageClassName")).contains("gold");
        assertThat(replaced.text("status", "phase")).contains("Bound");
        assertThat(replaced.text("metadata", "uid")).isEqualTo(created.text("metadata", "uid"));
    }

    /** A manifest that was written down elsewhere has the times of there. */
    @Test
    void aReplacementKeepsTheTimesOfTheObject() {
        Document created = store.createDocument(PV, volume()).orThrow();
        Document wanted = created.with("1999-01-01T00:00:00Z", "metadata", "creationTimestamp")
                .without("metadata", "resourceVersion");
        Document replaced = store.replaceDocument(PV, "", wanted).orThrow();
        assertThat(replaced.at("metadata", "creationTimestamp")).isEqualTo(created.at("metadata", "creationTimestamp"));

        store.deleteObject(PV, A, DeleteOptions.DEFAULT).orThrow();
        Document deleting = store.getDocument(PV, A).orThrow();
        Document later = store.replaceDocument(
                        PV, "", wanted.with("2001-01-01T00:00:00Z", "metadata", "deletionTimestamp"))
                .orThrow();
        assertThat(later.at("metadata", "deletionTimestamp")).isEqualTo(deleting.at("metadata", "deletionTimestamp"));
    }

    @Test
    void anObjectIsLoadedVerbatim() {
        Document given = volume().without("spec", "accessModes")
                .with("Bound", "status", "phase")
                .with("u1", "metadata", "uid")
                .with("77", "metadata", "resourceVersion");
        Document loaded = store.loadDocument(PV, given).orThrow();
        assertThat(loaded.text("metadata", "uid")).contains("u1");
        assertThat(loaded.text("metadata", "resourceVersion")).contains("77");
        assertThat(loaded.text("status", "phase")).contains("Bound");
        assertThat(loaded.at("metadata", "finalizers")).isEmpty();
        assertThat(loaded.at("spec", "volumeMode")).isEmpty();
        Document next =
                store.createDocument(PV, volume().with("b", "metadata", "name")).orThrow();
        assertThat(next.text("metadata", "resourceVersion")).contains("78");
        Document older =
                store.loadDocument(PV, given.with("c", "metadata", "name")).orThrow();
        assertThat(older.text("metadata", "resourceVersion")).contains("77");
        Document again = store.loadDocument(PV, given).orThrow();
        assertThat(again.text("metadata", "resourceVersion")).contains("80");
    }

    @Test
    void aLoadedObjectThatIsDeletingGoesWithItsLastFinalizerOnly() {
        Document deleting = volume().with("2000-01-01T00:00:00Z", "metadata", "deletionTimestamp")
                .with(List.of("example.com/one"), "metadata", "finalizers");
        store.loadDocument(PV, deleting).orThrow();
        patch(PV, A, "status", "Failed", "status", "phase");
        assertThat(store.getDocument(PV, A).failure()).isEmpty();
        patch(PV, A, "", List.of(), "metadata", "finalizers");
        assertThat(store.getDocument(PV, A).failure()).contains(Failure.NOT_FOUND);
        store.loadDocument(Kinds.POD, pod("n1").with("2000-01-01T00:00:00Z", "metadata", "deletionTimestamp"))
                .orThrow();
        patch(Kinds.POD, XP, "status", "Running", "status", "phase");
        assertThat(store.getDocument(Kinds.POD, XP).failure()).isEmpty();
    }

    @Test
    void whatCannotBeReadIsInvalid() {
        Document odd = volume().with("much", "spec", "capacity", "storage");
        assertFailed(store.createDocument(PV, odd), Failure.INVALID, "spec.capacity.storage");
        assertFailed(store.loadDocument(PV, odd), Failure.INVALID, "spec.capacity.storage");
        assertFailed(store.loadDocument(PV, volume().without("metadata", "name")), Failure.INVALID, "metadata.name");
        Document versioned = volume().with("1", "metadata", "resourceVersion");
        assertFailed(store.createDocument(PV, versioned), Failure.INVALID, "resourceVersion should not be set");
    }

    @Test
    void aRunningPodHasGrace() {
        store.createDocument(Kinds.POD, pod("n1")).orThrow();
        Document marked =
                store.deleteObject(Kinds.POD, XP, DeleteOptions.DEFAULT).orThrow();
        assertThat(marked.text("metadata", "deletionTimestamp")).contains("2000-01-01T00:00:30Z");
        assertThat(marked.at("metadata", "deletionGracePeriodSeconds")).contains(30L);
        DeleteOptions longer = DeleteOptions.DEFAULT.withGracePeriodSeconds(60);
        assertThat(store.deleteObject(Kinds.POD, XP, longer).orThrow()).isEqualTo(marked);
        Document sooner = store.deleteObject(Kinds.POD, XP, DeleteOptions.DEFAULT.withGracePeriodSeconds(10))
                .orThrow();
        assertThat(sooner.text("metadata", "deletionTimestamp")).contains("2000-01-01T00:00:10Z");
        patch(Kinds.POD, XP, "", "b", "metadata", "labels", "a");
        assertThat(store.getDocument(Kinds.POD, XP).failure()).isEmpty();
        store.deleteObject(Kinds.POD, XP, DeleteOptions.DEFAULT.withGracePeriodSeconds(0))
                .orThrow();
        assertThat(store.getDocument(Kinds.POD, XP).failure()).contains(Failure.NOT_FOUND);
    }

    @Test
    void aPodThatDoesNotRunGoesAtOnce() {
        store.createDocument(Kinds.POD, pod("").without("spec", "nodeName")).orThrow();
        store.deleteObject(Kinds.POD, XP, DeleteOptions.DEFAULT).orThrow();
        assertThat(store.getDocument(Kinds.POD, XP).failure()).contains(Failure.NOT_FOUND);
        store.createDocument(Kinds.POD, pod("n1")).orThrow();
        patch(Kinds.POD, XP, "status", "Succeeded", "status", "phase");
        store.deleteObject(Kinds.POD, XP, DeleteOptions.DEFAULT).orThrow();
        assertThat(store.getDocument(Kinds.POD, XP).failure()).contains(Failure.NOT_FOUND);
    }

    @Test
    void propagationLeavesItsFinalizer() {
        for (Propagation propagation : List.of(Propagation.FOREGROUND, Propagation.ORPHAN)) {
            Document object = Document.of(Map.of(
                    "metadata",
                    Map.of("name", propagation.name().toLowerCase(java.util.Locale.ROOT), "namespace", "x")));
            Document created = store.createDocument(Kinds.CONFIG_MAP, object).orThrow();
            ObjectKey key = ServerFields.key(created);
            DeleteOptions options = new DeleteOptions("", Optional.empty(), Optional.empty(), propagation);
            Document marked = store.deleteObject(Kinds.CONFIG_MAP, key, options).orThrow();
            String finalizer = propagation == Propagation.ORPHAN ? "orphan" : "foregroundDeletion";
            assertThat(marked.at("metadata", "finalizers")).contains(List.of(finalizer));
        }
    }

    @Test
    void messagesAreTheApiServers() {
        assertFailed(
                store.getDocument(Kinds.STORAGE_CLASS, A),
                Failure.NOT_FOUND,
                "storageclasses.storage.k8s.io \"a\" not found");
        store.createDocument(PV, volume()).orThrow();
        assertFailed(
                store.createDocument(PV, volume()), Failure.ALREADY_EXISTS, "persistentvolumes \"a\" already exists");
        assertFailed(
                store.listDocuments(PV, new ListOptions("", Optional.empty(), "spec.x=1", 0, "")),
                Failure.INVALID,
                "\"spec.x\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"");
        assertFailed(
                store.listDocuments(Kinds.POD, new ListOptions("", Optional.empty(), "spec.x=1", 0, "")),
                Failure.INVALID,
                "field label not supported: spec.x");
        assertFailed(
                store.listDocuments(PV, new ListOptions("", Optional.empty(), "spec.x", 0, "")),
                Failure.INVALID,
                "invalid selector: 'spec.x'; can't understand 'spec.x'");
        assertFailed(
                store.createDocument(PV, volume().with("0", "spec", "capacity", "storage")),
                Failure.INVALID,
                "PersistentVolume \"a\" is invalid: spec.capacity[storage]: Invalid value: \"0\": must be greater than zero");
    }

    /** So a client that creates a volume or a claim again is told why that has to wait. */
    @Test
    void whatIsStillGoingIsToldToBe() {
        store.createDocument(PV, volume()).orThrow();
        store.deleteObject(PV, A, DeleteOptions.DEFAULT).orThrow();
        assertFailed(
                store.createDocument(PV, volume()),
                Failure.ALREADY_EXISTS,
                "object is being deleted: persistentvolumes \"a\" already exists");
    }

    @Test
    void aStoreWithoutAdmissionsAddsNothing() {
        MemoryClusterStore bare = new MemoryClusterStore(Stores.options().withAdmissions(List.of()));
        assertThat(bare.createDocument(PV, volume()).orThrow().at("metadata", "finalizers"))
                .isEmpty();
    }

    @Test
    void theSameIdsGiveTheSameStore() {
        MemoryClusterStore twin = new MemoryClusterStore(Stores.options(clock));
        Document unnamed = volume().without("metadata", "name").with("v-", "metadata", "generateName");
        assertThat(twin.createDocument(PV, unnamed).orThrow())
                .isEqualTo(store.createDocument(PV, unnamed).orThrow());
    }
}
