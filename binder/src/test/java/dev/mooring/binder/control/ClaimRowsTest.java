// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static dev.mooring.binder.control.BinderObjects.annotated;
import static dev.mooring.binder.control.BinderObjects.boundTo;
import static dev.mooring.binder.control.BinderObjects.claimedBy;
import static dev.mooring.binder.control.BinderObjects.data;
import static dev.mooring.binder.control.BinderObjects.inPhase;
import static dev.mooring.binder.control.BinderObjects.naming;
import static dev.mooring.binder.control.BinderObjects.ofClass;
import static dev.mooring.binder.control.BinderObjects.pod;
import static dev.mooring.binder.control.BinderObjects.storageClass;
import static dev.mooring.binder.control.BinderObjects.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeBindingMode;
import dev.mooring.storage.model.VolumeMode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of the claim's tables (semantics/binder §1.3 U, §1.4 V, §1.5 B): what is given, what is written, what is told. */
class ClaimRowsTest {
    private static final StorageClass WAITING =
            storageClass("late", "vendor.example.com/disk", VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER);

    /**
     * One row.
     *
     * @param phase the claim's phase in the end
     * @param reasons of the events about the claim
     */
    private record Row(
            String id, List<KubernetesObject> given, ClaimPhase phase, List<String> reasons, Consumer<Cluster> then) {
        @Override
        public String toString() {
            return id;
        }
    }

    private static Row row(String id, ClaimPhase phase, String reason, KubernetesObject... given) {
        return row(id, phase, reason, cluster -> {}, given);
    }

    private static Row row(
            String id, ClaimPhase phase, String reason, Consumer<Cluster> then, KubernetesObject... given) {
        return new Row(id, List.of(given), phase, reason.isEmpty() ? List.of() : List.of(reason), then);
    }

    private static void silent(Cluster cluster) {
        assertThat(cluster.writes).isEmpty();
    }

    static Stream<Row> withoutVolumeName() {
        PersistentVolumeClaim late = ofClass(data(), "late");
        StorageClass modeless =
                StorageClass.of("modeless", "vendor.example.com/disk").withVolumeBindingMode(Optional.empty());
        return Stream.of(
                row(
                        "U1 a class that does not say when to bind",
                        ClaimPhase.PENDING,
                        "",
                        cluster -> assertThat(cluster.volume("pv").spec().claimRef())
                                .isEmpty(),
                        modeless,
                        ofClass(data(), "modeless"),
                        volume("pv", "1Gi")
                                .withSpec(volume("pv", "1Gi")
                                        .spec()
                                        .withClaimRef(Optional.empty())
                                        .withStorageClassName(Optional.of("modeless")))),
                row(
                        "U3 a class that is not there does not delay",
                        ClaimPhase.BOUND,
                        "",
                        ofClass(data(), "absent"),
                        volume("pv", "1Gi")
                                .withSpec(volume("pv", "1Gi").spec().withStorageClassName(Optional.of("absent")))),
                row("U4 a volume that fits", ClaimPhase.BOUND, "", data(), volume("pv", "1Gi")),
                row(
                        "U4 a volume without a class goes before the default class",
                        ClaimPhase.BOUND,
                        "",
                        cluster -> assertThat(cluster.claim("data").spec().storageClassName())
                                .isEmpty(),
                        BinderObjects.byDefault(StorageClass.of("std", "vendor.example.com/disk")),
                        data(),
                        volume("pv", "1Gi")),
                row(
                        "U5 no class, no volume: the default class",
                        ClaimPhase.PENDING,
                        "ExternalProvisioning",
                        cluster -> assertThat(cluster.claim("data").spec().storageClassName())
                                .contains("std"),
                        BinderObjects.byDefault(StorageClass.of("std", "vendor.example.com/disk")),
                        data()),
                row(
                        "U5 the empty class is a class",
                        ClaimPhase.PENDING,
                        "FailedBinding",
                        cluster -> assertThat(cluster.claim("data").spec().storageClassName())
                                .contains(""),
                        BinderObjects.byDefault(StorageClass.of("std", "vendor.example.com/disk")),
                        ofClass(data(), "")),
                row(
                        "U6 no consumer yet",
                        ClaimPhase.PENDING,
                        "WaitForFirstConsumer",
                        ClaimRowsTest::silent,
                        WAITING,
                        late),
                row(
                        "U6 a volume that fits does not help before the consumer",
                        ClaimPhase.PENDING,
                        "WaitForFirstConsumer",
                        WAITING,
                        late,
                        volume("pv", "1Gi")
                                .withSpec(volume("pv", "1Gi").spec().withStorageClassName(Optional.of("late")))),
                row(
                        "U6 a consumer without a node",
                        ClaimPhase.PENDING,
                        "WaitForPodScheduled",
                        WAITING,
                        late,
                        pod("web", "", "data")),
                row(
                        "U6 a status that shows more than Pending is corrected",
                        ClaimPhase.PENDING,
                        "WaitForFirstConsumer",
                        WAITING,
                        inPhase(late, ClaimPhase.BOUND)),
                row(
                        "U7 the node is selected",
                        ClaimPhase.PENDING,
                        "ExternalProvisioning",
                        WAITING,
                        annotated(late, Annotations.SELECTED_NODE, "n1")),
                row(
                        "U7 writes no status",
                        ClaimPhase.LOST,
                        "ProvisioningFailed",
                        ClaimRowsTest::silent,
                        inPhase(ofClass(data(), "absent"), ClaimPhase.LOST)),
                row("U8 nothing helps", ClaimPhase.PENDING, "FailedBinding", ClaimRowsTest::silent, data()),
                row(
                        "U8 a status that shows more than Pending is corrected",
                        ClaimPhase.PENDING,
                        "FailedBinding",
                        inPhase(data(), ClaimPhase.LOST)));
    }

    static Stream<Row> withVolumeName() {
        PersistentVolumeClaim named = naming(data(), "pv");
        return Stream.of(
                row("V1 the volume is not there", ClaimPhase.PENDING, "", ClaimRowsTest::silent, named),
                row("V1 Pending is shown", ClaimPhase.PENDING, "", inPhase(named, ClaimPhase.BOUND)),
                row("V2 too small", ClaimPhase.PENDING, "VolumeMismatch", named, volume("pv", "512Mi")),
                row(
                        "V2 another class",
                        ClaimPhase.PENDING,
                        "VolumeMismatch",
                        named,
                        volume("pv", "1Gi")
                                .withSpec(volume("pv", "1Gi").spec().withStorageClassName(Optional.of("gold")))),
                row(
                        "V2 another mode",
                        ClaimPhase.PENDING,
                        "VolumeMismatch",
                        named,
                        volume("pv", "1Gi")
                                .withSpec(volume("pv", "1Gi").spec().withVolumeMode(Optional.of(VolumeMode.BLOCK)))),
                row(
                        "V2 its storage is being reclaimed (D6)",
                        ClaimPhase.PENDING,
                        "VolumeMismatch",
                        named,
                        annotated(volume("pv", "1Gi"), Annotations.RECLAIMING, BinderObjects.OTHER_UID)),
                row("V3 free and fitting", ClaimPhase.BOUND, "", named, volume("pv", "2Gi")),
                row(
                        "V3 the class waits for a consumer, the user does not",
                        ClaimPhase.BOUND,
                        "",
                        WAITING,
                        ofClass(named, "late"),
                        volume("pv", "1Gi")
                                .withSpec(volume("pv", "1Gi").spec().withStorageClassName(Optional.of("late")))),
                row(
                        "V4 the volume names the claim, whatever its size; it is told (D8)",
                        ClaimPhase.BOUND,
                        "VolumeMismatch",
                        named,
                        claimedBy(volume("pv", "512Mi"), "data", "")),
                row(
                        "V4 the volume names the claim by uid",
                        ClaimPhase.BOUND,
                        "",
                        named,
                        claimedBy(volume("pv", "1Gi"), "data", BinderObjects.UID)),
                row(
                        "V5 another claim's",
                        ClaimPhase.PENDING,
                        "FailedBinding",
                        inPhase(named, ClaimPhase.BOUND),
                        claimedBy(volume("pv", "1Gi"), "other", "")),
                row(
                        "V6 another claim's although we chose it: no status",
                        ClaimPhase.BOUND,
                        "FailedBinding",
                        inPhase(annotated(named, Annotations.BOUND_BY_CONTROLLER, "yes"), ClaimPhase.BOUND),
                        claimedBy(volume("pv", "1Gi"), "other", "")));
    }

    static Stream<Row> bound() {
        return Stream.of(
                row("B1 no volume name", ClaimPhase.LOST, "ClaimLost", boundTo("")),
                row("B2 the volume has gone", ClaimPhase.LOST, "ClaimLost", boundTo("pv")),
                row("B3 free again: adopted", ClaimPhase.BOUND, "", boundTo("pv"), volume("pv", "512Mi")),
                row(
                        "B4 complete: nothing is written",
                        ClaimPhase.BOUND,
                        "",
                        ClaimRowsTest::silent,
                        boundTo("pv")
                                .withStatus(boundTo("pv")
                                        .status()
                                        .withAccessModes(
                                                volume("pv", "1Gi").spec().accessModes())),
                        inPhase(
                                claimedBy(volume("pv", "1Gi"), "data", BinderObjects.UID),
                                PersistentVolumePhase.BOUND)),
                row(
                        "B4 phases are repaired",
                        ClaimPhase.BOUND,
                        "",
                        cluster -> assertThat(cluster.volume("pv").status().phase())
                                .isEqualTo(PersistentVolumePhase.BOUND),
                        inPhase(boundTo("pv"), ClaimPhase.LOST),
                        claimedBy(volume("pv", "1Gi"), "data", BinderObjects.UID)),
                row(
                        "B5 the name without a uid is taken back (D7)",
                        ClaimPhase.BOUND,
                        "",
                        boundTo("pv"),
                        claimedBy(volume("pv", "1Gi"), "data", "")),
                row(
                        "B5 the uid of another",
                        ClaimPhase.LOST,
                        "ClaimMisbound",
                        boundTo("pv"),
                        claimedBy(volume("pv", "1Gi"), "data", BinderObjects.OTHER_UID)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"withoutVolumeName", "withVolumeName", "bound"})
    void row(Row row) {
        Cluster cluster = new Cluster().load(row.given.toArray(KubernetesObject[]::new));
        cluster.settle();
        assertThat(cluster.claim("data").status().phase()).isEqualTo(row.phase);
        assertThat(cluster.news.stream()
                        .filter(news -> news.component().equals(BinderEvents.COMPONENT))
                        .filter(news -> news.object().name().equals("data"))
                        .map(news -> news.reason()))
                .isEqualTo(row.reasons);
        if (row.phase == ClaimPhase.LOST && !row.id.startsWith("U")) {
            assertThat(cluster.claim("data").status().capacity()).isEmpty();
            assertThat(cluster.claim("data").status().accessModes()).isEmpty();
        }
        row.then.accept(cluster);
        RowWrites.check(row.id, cluster);
        int writes = cluster.writes.size();
        long decisions = cluster.counters.decisions();
        cluster.advance(Duration.ofHours(1));
        assertThat(cluster.counters.decisions()).as("no polling").isEqualTo(decisions);
        cluster.restart();
        assertThat(cluster.settle().writes)
                .as("a settled claim is written no more")
                .hasSize(writes);
    }
}
