// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.Announcement;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeBindingMode;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Objects that the API server would refuse, in a store that holds them all the same: they are told of and left alone, and all
 * other objects are served.
 */
class BadInputTest {
    private static final int PAIRS = 50;
    private static final String LONG = "n".repeat(1_000_000);

    /** An object as it stands in the store. */
    private record Item(Kind<?> kind, Document document) {
        static <T extends KubernetesObject> Item of(Kind<T> kind, T object) {
            return new Item(kind, kind.write(object));
        }

        Item with(Object value, String... path) {
            return new Item(kind, document.with(value, path));
        }

        Item without(String... path) {
            return new Item(kind, document.without(path));
        }

        ObjectKey key() {
            return ObjectKey.of(kind.read(document));
        }
    }

    /**
     * One row.
     *
     * @param items the first is the offending one
     * @param field that the Warning names; empty if the object is odd, but fine by the rules
     * @param object what the Warning names
     */
    private record Row(String id, List<Item> items, String field, String object) {
        @Override
        public String toString() {
            return id;
        }
    }

    private static Item claim() {
        PersistentVolumeClaim claim = BinderObjects.ofClass(BinderObjects.claim("odd", "1Gi"), "odd");
        return Item.of(
                Kinds.PERSISTENT_VOLUME_CLAIM,
                claim.withMetadata(claim.metadata().withFinalizer(Finalizers.PVC_PROTECTION)));
    }

    private static Item volume() {
        PersistentVolume volume = BinderObjects.volume("odd", "1Gi");
        return Item.of(
                Kinds.PERSISTENT_VOLUME,
                volume.withSpec(volume.spec().withStorageClassName(Optional.of("odd")))
                        .withMetadata(volume.metadata().withFinalizer(Finalizers.PV_PROTECTION)));
    }

    private static Row bad(String id, String field, Item... items) {
        String object = items[0].key().name();
        return new Row(id, List.of(items), field, object.length() > 40 ? object.substring(0, 40) : object);
    }

    private static Row odd(String id, Item... items) {
        return new Row(id, List.of(items), "", "odd");
    }

    private static Map<String, Object> reference(String kind, String namespace, String name, String uid) {
        return Map.of("kind", kind, "namespace", namespace, "name", name, "uid", uid, "apiVersion", "v1");
    }

    private static Map<String, Object> requirement(String operator, List<?> values) {
        return Map.of("matchExpressions", List.of(Map.of("key", "tier", "operator", operator, "values", values)));
    }

    static Stream<Row> claims() {
        String request = "spec.resources.requests[storage]";
        return Stream.of(
                bad("a negative request", request, claim().with("-1Gi", "spec", "resources", "requests", "storage")),
                bad("a request of nothing", request, claim().with("0", "spec", "resources", "requests", "storage")),
                bad(
                        "a request of less than nothing, beyond every integer",
                        request,
                        claim().with("-9e300", "spec", "resources", "requests", "storage")),
                bad(
                        "10,000 access modes",
                        "spec.accessModes",
                        claim().with(Collections.nCopies(10_000, "ReadWriteOnce"), "spec", "accessModes")),
                bad(
                        "an access mode that does not exist",
                        "spec.accessModes",
                        claim().with(List.of("ReadWriteSometimes"), "spec", "accessModes")),
                bad("a volume mode that does not exist", "spec.volumeMode", claim().with("Tape", "spec", "volumeMode")),
                bad("a name of 1 MB", "metadata.name", claim().with(LONG, "metadata", "name")),
                bad("a volume name of 1 MB", "spec.volumeName", claim().with(LONG, "spec", "volumeName")),
                bad("a class name of 1 MB", "spec.storageClassName", claim().with(LONG, "spec", "storageClassName")),
                bad(
                        "a selector with an operator that does not exist",
                        "spec.selector",
                        claim().with(requirement("Near", List.of("a")), "spec", "selector")),
                bad(
                        "a selector without values",
                        "spec.selector",
                        claim().with(requirement("In", List.of()), "spec", "selector")),
                bad(
                        "a selector with values where none belong",
                        "spec.selector",
                        claim().with(requirement("Exists", List.of("a")), "spec", "selector")));
    }

    static Stream<Row> volumes() {
        String[] claimRef = {"spec", "claimRef"};
        return Stream.of(
                bad(
                        "a negative capacity",
                        "spec.capacity[storage]",
                        volume().with("-5", "spec", "capacity", "storage")),
                bad(
                        "a capacity of nothing",
                        "spec.capacity[storage]",
                        volume().with("0", "spec", "capacity", "storage")),
                bad(
                        "10,000 access modes",
                        "spec.accessModes",
                        volume().with(Collections.nCopies(10_000, "ReadWriteOnce"), "spec", "accessModes")),
                bad(
                        "only an access mode that does not exist",
                        "spec.accessModes",
                        volume().with(List.of("ReadWriteSometimes"), "spec", "accessModes")),
                bad(
                        "a volume mode that does not exist",
                        "spec.volumeMode",
                        volume().with("Tape", "spec", "volumeMode")),
                bad("a name of 1 MB", "metadata.name", volume().with(LONG, "metadata", "name")),
                bad(
                        "claimed by itself",
                        "spec.claimRef.kind",
                        volume().with(reference("PersistentVolume", "default", "odd", BinderObjects.UID), claimRef),
                        claim().with(BinderObjects.UID, "metadata", "uid")),
                bad(
                        "claimed by a pod that is called as a claim is",
                        "spec.claimRef.kind",
                        volume().with(reference("Pod", "default", "odd", ""), claimRef),
                        claim().with("odd", "spec", "volumeName")),
                bad(
                        "claimed by a claim without a name",
                        "spec.claimRef",
                        volume().with(reference("PersistentVolumeClaim", "default", "", BinderObjects.UID), claimRef)),
                bad(
                        "claimed by a claim of no namespace",
                        "spec.claimRef",
                        volume().with(reference("PersistentVolumeClaim", "", "odd", BinderObjects.UID), claimRef)));
    }

    /** Odd, but what the rules say about it is plain: the claim gets the volume. */
    static Stream<Row> fine() {
        Map<String, String> labels = new TreeMap<>();
        for (int i = 0; i < 10_000; i++) {
            labels.put("label-" + i, "value-" + i);
        }
        List<Map<String, Object>> owners = List.of(
                Map.of("apiVersion", "v1", "kind", "PersistentVolumeClaim", "name", "odd", "uid", BinderObjects.UID),
                Map.of("apiVersion", "v1", "kind", "PersistentVolume", "name", "odd", "uid", BinderObjects.OTHER_UID));
        return Stream.of(
                odd(
                        "10,000 labels",
                        volume().with(labels, "metadata", "labels"),
                        claim().with(labels, "metadata", "labels")
                                .with(Map.of("label-9999", "value-9999"), "spec", "selector", "matchLabels")),
                odd(
                        "each owns the other and itself",
                        volume().with(owners, "metadata", "ownerReferences")
                                .with(BinderObjects.OTHER_UID, "metadata", "uid"),
                        claim().with(owners, "metadata", "ownerReferences").with(BinderObjects.UID, "metadata", "uid")),
                odd(
                        "annotations that point at each other, or mean nothing",
                        volume().with(
                                        Map.of(
                                                "volume.alpha.kubernetes.io/pre-resize-capacity", "many",
                                                "volume.beta.kubernetes.io/mount-options", "\u0000,,,",
                                                "mooring.dev/provision-result", "perhaps",
                                                "mooring.dev/reclaim-result", "done",
                                                "example.com/see", "odd"),
                                        "metadata",
                                        "annotations"),
                        claim().with(
                                        Map.of(
                                                "volume.kubernetes.io/selected-node", "no such node",
                                                "volume.kubernetes.io/storage-resizer", "",
                                                "example.com/see", "odd"),
                                        "metadata",
                                        "annotations")),
                odd(
                        "phases that do not exist",
                        volume().with("Melted", "status", "phase")
                                .with(reference("PersistentVolumeClaim", "default", "odd", ""), "spec", "claimRef"),
                        claim().with("Vague", "status", "phase")));
    }

    /** What only the store objects to, when a controller wants to change it. */
    static Stream<Row> refused() {
        return Stream.of(
                bad("a volume of no storage", "spec", volume().without("spec", "nfs")),
                bad("a label that is none", "metadata.labels", volume().with("no label", "metadata", "labels", "tier")),
                bad(
                        "an access mode beside one that does not exist",
                        "spec.accessModes",
                        volume().with(List.of("ReadWriteOnce", "ReadWriteSometimes"), "spec", "accessModes")),
                bad(
                        "node affinity that compares words, and an operator that does not exist",
                        "spec.nodeAffinity",
                        volume().with(
                                        Map.of(
                                                "required",
                                                Map.of(
                                                        "nodeSelectorTerms",
                                                        List.of(
                                                                requirement("Gt", List.of("far")),
                                                                requirement("Near", List.of())))),
                                        "spec",
                                        "nodeAffinity")));
    }

    private static List<KubernetesObject> healthy() {
        List<KubernetesObject> pairs = new ArrayList<>();
        for (int i = 0; i < PAIRS; i++) {
            pairs.add(BinderObjects.volume("pv-" + i, i + 1 + "Gi"));
            pairs.add(BinderObjects.claim("data-" + i, i + 1 + "Gi"));
        }
        return pairs;
    }

    /** The witness in the cluster lets no defect of a controller pass. */
    private static Cluster loaded(Row row) {
        Cluster cluster = new Cluster();
        row.items.forEach(
                item -> cluster.store.loadDocument(item.kind, item.document).orThrow());
        cluster.load(healthy().toArray(KubernetesObject[]::new)).settle();
        for (int i = 0; i < PAIRS; i++) {
            BindingTest.assertBound(cluster, "pv-" + i, "data-" + i);
        }
        return cluster;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"claims", "volumes"})
    void isToldOfAndLeftAlone(Row row) {
        Cluster cluster = loaded(row);
        Item item = row.items.get(0);
        assertThat(about(cluster, item)).hasSize(1).allSatisfy(news -> {
            assertThat(news.warning()).isTrue();
            assertThat(news.message()).contains(row.field + ":").hasSizeLessThan(1025);
            assertThat(news.kind()).isEqualTo(item.kind);
        });
        assertThat(about(cluster, item).get(0).object().name()).startsWith(row.object);
        cluster.advance(Duration.ofMinutes(1)); // past failures are forgotten
        long decisions = cluster.counters.decisions();
        cluster.advance(Duration.ofHours(1));
        assertThat(cluster.counters.decisions()).as("no polling").isEqualTo(decisions);
        assertThat(about(cluster, item)).as("told once").hasSize(1);
        assertThat(cluster.writes)
                .as("left alone")
                .noneMatch(write -> write.kind().equals(item.kind.name())
                        && write.name().equals(item.key().name()));
        assertThat(cluster.claims())
                .filteredOn(claim -> claim.spec().storageClassName().equals(Optional.of("odd")))
                .allSatisfy(claim -> assertThat(claim.status().phase()).isNotEqualTo(ClaimPhase.BOUND));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("claims")
    void aClaimThatIsCorrectedIsServed(Row row) {
        Cluster cluster = loaded(row);
        cluster.load(volume().kind().read(volume().document())).settle();
        assertThat(cluster.volume("odd").spec().claimRef()).isEmpty();
        if (row.object.equals("odd")) {
            String[] uid = {"metadata", "uid"};
            Item corrected =
                    claim().with(stored(cluster, row.items.get(0)).at(uid).orElseThrow(), uid);
            cluster.store.loadDocument(corrected.kind, corrected.document).orThrow();
            cluster.settle();
            BindingTest.assertBound(cluster, "odd", "odd");
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("volumes")
    void aVolumeThatIsCorrectedIsTaken(Row row) {
        Cluster cluster = loaded(row);
        if (row.items.size() == 1) {
            cluster.store.loadDocument(claim().kind, claim().document).orThrow();
        }
        cluster.settle();
        assertThat(cluster.claim("odd").status().phase()).isEqualTo(ClaimPhase.PENDING);
        String[] uid = {"metadata", "uid"};
        Item corrected = volume();
        if (row.object.equals("odd")) {
            corrected = corrected.with(stored(cluster, row.items.get(0)).at(uid).orElseThrow(), uid);
        }
        cluster.store.loadDocument(corrected.kind, corrected.document).orThrow();
        cluster.settle();
        BindingTest.assertBound(cluster, "odd", "odd");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void aVolumeThatTheStoreLetsNoClaimHaveIsToldOfAndItsClaimTakesTheNext(Row row) {
        Cluster cluster = loaded(row);
        Item item = row.items.get(0);
        cluster.store.loadDocument(claim().kind, claim().document).orThrow();
        cluster.settle();
        assertThat(about(cluster, item)).singleElement().satisfies(news -> {
            assertThat(news.warning()).isTrue();
            assertThat(news.message()).contains("\"odd\"", row.field);
        });
        assertThat(cluster.claim("odd").status().phase()).isEqualTo(ClaimPhase.PENDING);
        Item next = volume().with("odd-too", "metadata", "name");
        cluster.store.loadDocument(next.kind, next.document).orThrow();
        cluster.advance(Duration.ofMinutes(5));
        BindingTest.assertBound(cluster, "odd-too", "odd");
        assertThat(about(cluster, item)).as("told once").hasSize(1);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("fine")
    void isBoundAllTheSame(Row row) {
        Cluster cluster = loaded(row);
        BindingTest.assertBound(cluster, "odd", "odd");
        assertThat(cluster.news.stream().filter(Announcement::warning)).isEmpty();
        assertThat(cluster.claim("odd").status().capacity())
                .containsEntry(
                        "storage",
                        BinderObjects.claim("x", "1Gi")
                                .spec()
                                .resources()
                                .requests()
                                .get("storage"));
    }

    @Test
    void aRingOfVolumesAndClaimsThatNameEachOtherIsWaitedFor() {
        List<Item> ring = new ArrayList<>();
        int size = 100;
        for (int i = 0; i < size; i++) {
            PersistentVolumeClaim claim = BinderObjects.naming(BinderObjects.claim("ring-" + i, "1Gi"), "ring-" + i);
            PersistentVolume volume =
                    BinderObjects.claimedBy(BinderObjects.volume("ring-" + i, "1Gi"), "ring-" + (i + 1) % size, "");
            ring.add(Item.of(Kinds.PERSISTENT_VOLUME_CLAIM, claim));
            ring.add(Item.of(Kinds.PERSISTENT_VOLUME, volume));
        }
        Cluster cluster = loaded(new Row("ring", ring, "", ""));
        assertThat(cluster.news.stream().filter(news -> news.object().name().startsWith("ring")))
                .hasSize(size)
                .allSatisfy(news -> assertThat(news.reason()).isEqualTo("FailedBinding"));
        long decisions = cluster.counters.decisions();
        cluster.advance(Duration.ofHours(1));
        assertThat(cluster.counters.decisions()).isEqualTo(decisions);
    }

    @Test
    void aClassThatSaysWhenToBindInUnknownWordsHoldsUpItsClaimsOnly() {
        StorageClass odd = BinderObjects.storageClass("odd", "vendor.example.com/disk", VolumeBindingMode.IMMEDIATE);
        Cluster cluster = loaded(new Row(
                "class",
                List.of(claim(), volume(), Item.of(Kinds.STORAGE_CLASS, odd).with("Sometimes", "volumeBindingMode")),
                "",
                ""));
        assertThat(about(cluster, claim()))
                .singleElement()
                .satisfies(news -> assertThat(news.message()).contains("StorageClass \"odd\": volumeBindingMode:"));
        cluster.store
                .loadDocument(Kinds.STORAGE_CLASS, Kinds.STORAGE_CLASS.write(odd))
                .orThrow();
        cluster.settle();
        BindingTest.assertBound(cluster, "odd", "odd");
    }

    @Test
    void aVolumeThatIsClaimedAndBoundIsReleasedWhateverItIsLike() {
        Cluster cluster = new Cluster();
        Item volume = Item.of(
                        Kinds.PERSISTENT_VOLUME,
                        BinderObjects.claimedBy(BinderObjects.volume("odd", "1Gi"), "gone", BinderObjects.UID))
                .with("-1", "spec", "capacity", "storage")
                .with("Tape", "spec", "volumeMode");
        cluster.store.loadDocument(volume.kind, volume.document).orThrow();
        cluster.settle();
        assertThat(stored(cluster, volume).text("status", "phase")).contains("Released");
    }

    @Test
    void whatIsNoObjectAtAllDoesNotGetIn() {
        Cluster cluster = new Cluster();
        for (Item item : List.of(
                claim().with("many", "spec", "resources", "requests", "storage"),
                claim().with("ReadWriteOnce", "spec", "accessModes"),
                volume().with("a lot", "spec", "capacity"),
                volume().with(7L, "metadata", "labels", "tier"),
                volume().without("metadata", "name"))) {
            assertThat(cluster.store.loadDocument(item.kind, item.document).failure())
                    .as(item.document.toString())
                    .contains(Failure.INVALID);
        }
        cluster.load(BinderObjects.volume("pv", "1Gi"), BinderObjects.claim("data", "1Gi"))
                .settle();
        BindingTest.assertBound(cluster, "pv", "data");
    }

    private static List<Announcement> about(Cluster cluster, Item item) {
        return cluster.news.stream()
                .filter(news -> news.kind() == item.kind && news.object().equals(item.key()))
                .toList();
    }

    private static Document stored(Cluster cluster, Item item) {
        return cluster.store.getDocument(item.kind, item.key()).orThrow();
    }
}
