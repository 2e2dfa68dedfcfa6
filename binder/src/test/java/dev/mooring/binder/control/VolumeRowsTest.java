// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static dev.mooring.binder.control.BinderObjects.annotated;
import static dev.mooring.binder.control.BinderObjects.boundTo;
import static dev.mooring.binder.control.BinderObjects.claimedBy;
import static dev.mooring.binder.control.BinderObjects.data;
import static dev.mooring.binder.control.BinderObjects.inPhase;
import static dev.mooring.binder.control.BinderObjects.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of the volume's tables (semantics/binder §1.6 SV, §1.9 R). */
class VolumeRowsTest {
    /**
     * One row.
     *
     * @param phase of the volume {@code pv} in the end; "gone" if it is to be gone
     * @param told the reasons of the events about the volume
     * @param calls what plugins were asked to do
     */
    private record Row(
            String id, boolean plugins, String phase, String told, String calls, List<KubernetesObject> given) {
        @Override
        public String toString() {
            return id;
        }
    }

    private static Row row(String id, String phase, KubernetesObject... given) {
        return new Row(id, true, phase, "", "", List.of(given));
    }

    private static Row reclaim(
            String id, boolean plugins, String phase, String told, String calls, PersistentVolume volume) {
        return new Row(id, plugins, phase, told, calls, List.of(volume));
    }

    private static PersistentVolume owned(ReclaimPolicy policy, String uid) {
        return inPhase(claimedBy(volume("pv", "1Gi", policy), "data", uid), PersistentVolumePhase.BOUND);
    }

    private static PersistentVolume owned() {
        return owned(ReclaimPolicy.RETAIN, BinderObjects.UID);
    }

    private static PersistentVolume released(ReclaimPolicy policy) {
        return inPhase(owned(policy, BinderObjects.UID), PersistentVolumePhase.RELEASED);
    }

    private static PersistentVolume spec(
            PersistentVolume volume, UnaryOperator<dev.mooring.storage.model.PersistentVolumeSpec> edit) {
        return volume.withSpec(edit.apply(volume.spec()));
    }

    static Stream<Row> phases() {
        PersistentVolume elsewhere = claimedBy(volume("another", "1Gi"), "data", BinderObjects.UID);
        PersistentVolume block = spec(owned(), s -> s.withVolumeMode(Optional.of(VolumeMode.BLOCK)));
        return Stream.of(
                row("SV1 no claim's", "Available", volume("pv", "1Gi")),
                row(
                        "SV1 no claim's, Released before",
                        "Available",
                        inPhase(volume("pv", "1Gi"), PersistentVolumePhase.RELEASED)),
                row("SV2 kept for a claim to come", "Available", claimedBy(volume("pv", "1Gi"), "data", "")),
                row("SV3 the claim has gone", "Released", owned()),
                row("SV3 Failed stays Failed", "Failed", inPhase(owned(), PersistentVolumePhase.FAILED)),
                row(
                        "SV4 the claim is another of its name",
                        "Released",
                        owned(ReclaimPolicy.RETAIN, BinderObjects.OTHER_UID),
                        data()),
                row("SV6 the claim has not named it yet", "Bound", owned(), data()),
                new Row(
                        "SV6 the claim wants another mode",
                        true,
                        "Bound",
                        "VolumeMismatch",
                        "",
                        List.of(block, data())),
                row(
                        "SV7 the claim names it",
                        "Bound",
                        inPhase(owned(), PersistentVolumePhase.AVAILABLE),
                        boundTo("pv")),
                row(
                        "SV8 ours: free again",
                        "Available",
                        annotated(owned(), Annotations.BOUND_BY_CONTROLLER, "yes"),
                        boundTo("another"),
                        elsewhere),
                row("SV8 a user's: waits for the claim to come", "Available", owned(), boundTo("another"), elsewhere),
                new Row(
                        "SV8 made for the claim: destroyed",
                        true,
                        "gone",
                        "",
                        "delete",
                        List.of(
                                annotated(
                                        owned(ReclaimPolicy.DELETE, BinderObjects.UID),
                                        Annotations.PROVISIONED_BY,
                                        ToyPlugin.NAME),
                                boundTo("another"),
                                elsewhere)));
    }

    static Stream<Row> reclaiming() {
        VolumeSource csi = new VolumeSource("csi", Document.of(Map.of("driver", "d.example.com", "volumeHandle", "h")));
        PersistentVolume delete = released(ReclaimPolicy.DELETE);
        return Stream.of(
                reclaim(
                        "R0 another program's by migration",
                        true,
                        "Released",
                        "",
                        "",
                        annotated(delete, Annotations.MIGRATED_TO, "d.example.com")),
                reclaim("R1 Retain", true, "Released", "", "", released(ReclaimPolicy.RETAIN)),
                reclaim("R2 Recycle", true, "Available", "VolumeRecycled", "recycle", released(ReclaimPolicy.RECYCLE)),
                reclaim(
                        "R2 no plugin recycles",
                        false,
                        "Failed",
                        "VolumeFailedRecycle",
                        "",
                        released(ReclaimPolicy.RECYCLE)),
                reclaim(
                        "R2 retried when Failed",
                        true,
                        "Available",
                        "VolumeRecycled",
                        "recycle",
                        inPhase(released(ReclaimPolicy.RECYCLE), PersistentVolumePhase.FAILED)),
                reclaim("R3 Delete", true, "gone", "", "delete", delete),
                reclaim(
                        "R3 (b) an unknown plugin of Kubernetes",
                        true,
                        "Failed",
                        "VolumeFailedDelete",
                        "",
                        annotated(delete, Annotations.PROVISIONED_BY, "kubernetes.io/gone")),
                reclaim(
                        "R3 (c) another program made it",
                        true,
                        "Released",
                        "",
                        "",
                        annotated(delete, Annotations.PROVISIONED_BY, "d.example.com")),
                reclaim(
                        "R3 (d) a CSI volume",
                        true,
                        "Released",
                        "",
                        "",
                        spec(delete, s -> s.withSource(Optional.of(csi)))),
                reclaim("R3 (e) no plugin destroys", false, "Failed", "VolumeFailedDelete", "", delete),
                reclaim(
                        "R3 retried when Failed",
                        true,
                        "gone",
                        "",
                        "delete",
                        inPhase(delete, PersistentVolumePhase.FAILED)),
                reclaim(
                        "R4 a policy from the future",
                        true,
                        "Failed",
                        "VolumeUnknownReclaimPolicy",
                        "",
                        released(ReclaimPolicy.UNKNOWN)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"phases", "reclaiming"})
    void row(Row row) {
        ToyPlugin toy = new ToyPlugin(Place.CONTROLLER);
        PluginRegistry plugins = row.plugins ? new PluginRegistry(List.of(toy)) : PluginRegistry.EMPTY;
        Cluster cluster = new Cluster(BinderOptions.DEFAULT, plugins, 1);
        cluster.load(row.given.toArray(KubernetesObject[]::new)).settle();
        assertThat(cluster.findVolume("pv")
                        .map(v -> v.status().phase().wireName())
                        .orElse("gone"))
                .isEqualTo(row.phase);
        assertThat(cluster.news.stream()
                        .filter(news -> news.object().name().equals("pv"))
                        .map(news -> news.reason()))
                .isEqualTo(row.told.isEmpty() ? List.of() : List.of(row.told));
        assertThat(cluster.calls.stream().map(call -> call.operation()))
                .isEqualTo(row.calls.isEmpty() ? List.of() : List.of(row.calls));
        RowWrites.check(row.id, cluster);
        int writes = cluster.writes.size();
        cluster.restart();
        assertThat(cluster.settle().writes)
                .as("a settled volume is written no more")
                .hasSize(writes);
        // until then people may have to be told what is waited for
        assertThat(cluster.advance(Defaults.LONG_WAIT).hasTimer()).isFalse();
    }

    // ---- what is taken back (§1.8) ----

    @Test
    void sv8TakesAwayOnlyWhatWeWrote() {
        for (boolean ours : List.of(true, false)) {
            PersistentVolume volume = ours ? annotated(owned(), Annotations.BOUND_BY_CONTROLLER, "yes") : owned();
            Cluster cluster = new Cluster()
                    .load(volume, boundTo("another"), claimedBy(volume("another", "1Gi"), "data", BinderObjects.UID))
                    .settle();
            assertThat(cluster.volume("pv").spec().claimRef().map(ref -> ref.name() + "/" + ref.uid()))
                    .isEqualTo(ours ? Optional.empty() : Optional.of("data/"));
            assertThat(cluster.volume("pv").metadata().annotation(Annotations.BOUND_BY_CONTROLLER))
                    .isEmpty();
        }
    }

    /** The volume is deleted after it was claimed, before the claim names it: neither is bound to it any more, nor does it stay. */
    @ParameterizedTest(name = "SV6 a volume that is being deleted before its claim names it goes; tied by {0}")
    @CsvSource({"us", "a user"})
    void aVolumeThatIsDeletedBeforeItsClaimNamesItGoes(String tiedBy) {
        PersistentVolume volume = claimedBy(volume("pv", "1Gi"), "data", BinderObjects.UID);
        volume = volume.withMetadata(volume.metadata().withFinalizers(List.of(Finalizers.PV_PROTECTION)));
        Cluster cluster = new Cluster()
                .load(data(), tiedBy.equals("us") ? annotated(volume, Annotations.BOUND_BY_CONTROLLER, "yes") : volume)
                .deleteVolume("pv")
                .settle();
        assertThat(cluster.findVolume("pv")).isEmpty();
        assertThat(cluster.claim("data").spec().volumeName()).isEmpty();
        cluster.load(volume("next", "1Gi")).settle();
        assertThat(cluster.claim("data").spec().volumeName()).isEqualTo("next");
    }

    @Test
    void sv3AsksTheServerBeforeItReleases() {
        Cluster cluster = new Cluster().load(owned()).settle();
        assertThat(cluster.counters.reads()).isPositive();
    }

    // ---- SV0: the finalizers that wait for the storage ----

    @ParameterizedTest(name = "SV0 made by {0}, {1}, with [{2}]: [{3}]")
    @CsvSource({
        "'', DELETE, '', ''",
        "toy.example.com/nfs, DELETE, '', pv-controller",
        "toy.example.com/nfs, DELETE, external, pv-controller",
        "toy.example.com/nfs, RETAIN, pv-controller, ''",
        "toy.example.com/nfs, RECYCLE, pv-controller external, ''",
        "d.example.com, DELETE, external, external",
        "d.example.com, RETAIN, pv-controller, pv-controller"
    })
    void finalizers(String madeBy, ReclaimPolicy policy, String before, String after) {
        PersistentVolume volume = owned(policy, BinderObjects.UID);
        if (!madeBy.isEmpty()) {
            volume = annotated(volume, Annotations.PROVISIONED_BY, madeBy);
        }
        volume = volume.withMetadata(volume.metadata().withFinalizers(finalizers(before)));
        Cluster cluster =
                new Cluster(BinderOptions.DEFAULT, new PluginRegistry(List.of(new ToyPlugin(Place.CONTROLLER))), 1);
        cluster.load(volume, boundTo("pv")).settle();
        assertThat(cluster.volume("pv").metadata().finalizers()).containsExactlyInAnyOrderElementsOf(finalizers(after));
    }

    private static List<String> finalizers(String words) {
        List<String> names = new ArrayList<>(List.of(Finalizers.PV_PROTECTION));
        if (words.contains("pv-controller")) {
            names.add(Finalizers.PV_CONTROLLER);
        }
        if (words.contains("external")) {
            names.add(Finalizers.EXTERNAL_PROVISIONER);
        }
        return names;
    }

    @ParameterizedTest(name = "§1.13 {0} first, policy Delete: the storage is destroyed once, after the claim")
    @CsvSource({"claim", "volume"})
    void theOrderOfTheUsersDeletionsDoesNotMatter(String first) {
        Cluster cluster =
                new Cluster(BinderOptions.DEFAULT, new PluginRegistry(List.of(new ToyPlugin(Place.CONTROLLER))), 1);
        cluster.load(
                        annotated(
                                owned(ReclaimPolicy.DELETE, BinderObjects.UID),
                                Annotations.PROVISIONED_BY,
                                ToyPlugin.NAME),
                        boundTo("pv"))
                .settle();
        if (first.equals("volume")) {
            cluster.deleteVolume("pv").settle();
            assertThat(cluster.volume("pv").status().phase()).isEqualTo(PersistentVolumePhase.BOUND);
            assertThat(cluster.calls).isEmpty();
        }
        cluster.deleteClaim("data").settle();
        assertThat(cluster.findVolume("pv")).isEmpty();
        assertThat(cluster.calls).hasSize(1);
    }
}
