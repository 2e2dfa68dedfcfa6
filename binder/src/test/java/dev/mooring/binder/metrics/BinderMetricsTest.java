// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.Binder;
import dev.mooring.binder.BinderOptions;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.RuntimeOptions;
import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.metrics.Metric;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.DeleteOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The binder's metrics, of a binder at work")
class BinderMetricsTest {
    private static final Instant START = Instant.parse("2000-01-01T00:00:00Z");

    private volatile Time now = new Time(START, 0);
    private final MemoryClusterStore store =
            new MemoryClusterStore(StoreOptions.of(Kinds.standard(), () -> now.wall(), IdSource.random(new Random(1))));
    private final BinderMetrics metrics = new BinderMetrics(PluginRegistry.EMPTY, () -> now);
    private final ControllerRuntime runtime = new ControllerRuntime(
                    store,
                    new Binder(BinderOptions.DEFAULT, PluginRegistry.EMPTY).controllers(),
                    RuntimeOptions.defaults().withListener(metrics).withTime(() -> now))
            .start();

    @AfterEach
    void close() {
        runtime.close();
        store.close();
    }

    private void pass(Duration duration) {
        now = new Time(now.wall().plus(duration), now.monotonicNanos() + duration.toNanos());
    }

    private void create(Kind<?> kind, Map<String, ?> metadata, Map<String, ?> rest) {
        Map<String, Object> object = new LinkedHashMap<>(rest);
        object.put("metadata", metadata);
        store.createDocument(kind, Document.of(object)).orThrow();
        settle();
    }

    private void settle() {
        try {
            runtime.whenQuiescent().get(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void delete(Kind<?> kind, ObjectKey key) {
        store.deleteObject(kind, key, DeleteOptions.DEFAULT).orThrow();
        settle();
    }

    private static Map<String, Object> claimSpec(String storageClass) {
        Map<String, Object> spec = new LinkedHashMap<>(Map.of(
                "accessModes", List.of("ReadWriteOnce"),
                "resources", Map.of("requests", Map.of("storage", "1Gi"))));
        if (!storageClass.equals("none")) {
            spec.put("storageClassName", storageClass);
        }
        return Map.of("spec", spec);
    }

    private void claim(String name, String storageClass) {
        create(Kinds.PERSISTENT_VOLUME_CLAIM, Map.of("name", name, "namespace", "default"), claimSpec(storageClass));
    }

    private void storageClass(String name, boolean isDefault) {
        create(
                Kinds.STORAGE_CLASS,
                Map.of(
                        "name",
                        name,
                        "annotations",
                        Map.of("storageclass.kubernetes.io/is-default-class", Boolean.toString(isDefault))),
                Map.of("provisioner", "ext.example.com/nfs", "reclaimPolicy", "Delete"));
    }

    private void volume(String name, String storageClass, String policy, Map<String, ?> claimRef) {
        Map<String, Object> spec = new LinkedHashMap<>(Map.of(
                "capacity", Map.of("storage", "2Gi"),
                "accessModes", List.of("ReadWriteOnce"),
                "storageClassName", storageClass,
                "persistentVolumeReclaimPolicy", policy,
                "csi", Map.of("driver", "csi.example.com", "volumeHandle", name)));
        if (!claimRef.isEmpty()) {
            spec.put("claimRef", claimRef);
        }
        create(
                Kinds.PERSISTENT_VOLUME,
                Map.of("name", name, "annotations", Map.of("pv.kubernetes.io/provisioned-by", "ext.example.com/nfs")),
                Map.of("spec", spec));
    }

    private Map<String, Double> collected(String metric) {
        Map<String, Double> values = new TreeMap<>();
        List<Metric> all;
        try {
            all = runtime.ask(caches -> metrics.collect()).get(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        all.stream()
                .filter(each -> each.name().equals(metric))
                .flatMap(each -> each.samples().stream())
                .forEach(sample ->
                        values.put(sample.name().substring(metric.length()) + sample.labels(), sample.value()));
        return values;
    }

    private Document object(Kind<?> kind, ObjectKey key) {
        return store.getDocument(kind, key).orThrow();
    }

    @Test
    @DisplayName("have Kubernetes' names, types and order, also where nothing has happened yet")
    void names() throws Exception {
        settle();
        assertThat(runtime.ask(caches -> metrics.collect()).get(60, TimeUnit.SECONDS))
                .extracting(metric -> metric.name() + " " + metric.type())
                .containsExactly(
                        "pv_collector_total_pv_count GAUGE",
                        "pv_collector_bound_pv_count GAUGE",
                        "pv_collector_unbound_pv_count GAUGE",
                        "pv_collector_bound_pvc_count GAUGE",
                        "pv_collector_unbound_pvc_count GAUGE",
                        "mooring_released_volumes GAUGE",
                        "mooring_released_volumes_oldest_seconds GAUGE",
                        "volume_operation_total_errors COUNTER",
                        "volume_operation_errors_total COUNTER",
                        "volume_operation_total_seconds HISTOGRAM",
                        "retroactive_storageclass_total COUNTER",
                        "retroactive_storageclass_errors_total COUNTER");
        assertThat(collected("retroactive_storageclass_total")).isEqualTo(Map.of("{}", 0.0));
        assertThat(collected("volume_operation_total_seconds")).isEmpty();
    }

    @Test
    @DisplayName("count volumes and claims by their labels")
    void gauges() {
        volume("a", "gold", "Retain", Map.of());
        volume("b", "gold", "Retain", Map.of());
        volume("c", "", "Retain", Map.of());
        claim("x", "gold");
        claim("y", "silver");
        assertThat(collected("pv_collector_total_pv_count"))
                .isEqualTo(Map.of("{plugin_name=kubernetes.io/csi:csi.example.com, volume_mode=Filesystem}", 3.0));
        assertThat(collected("pv_collector_bound_pv_count")).isEqualTo(Map.of("{storage_class=gold}", 1.0));
        assertThat(collected("pv_collector_unbound_pv_count"))
                .isEqualTo(Map.of("{storage_class=gold}", 1.0, "{storage_class=}", 1.0));
        assertThat(collected("pv_collector_bound_pvc_count"))
                .isEqualTo(Map.of("{namespace=default, storage_class=gold, volume_attributes_class=}", 1.0));
        assertThat(collected("pv_collector_unbound_pvc_count"))
                .isEqualTo(Map.of("{namespace=default, storage_class=silver, volume_attributes_class=}", 1.0));
    }

    @Test
    @DisplayName("measure provisioning until the claim is bound, and deletion until the volume has gone")
    void latencies() {
        storageClass("gold", false);
        claim("x", "gold");
        assertThat(metrics.running()).isOne();
        pass(Duration.ofSeconds(3));
        Document claim = object(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of("default", "x"));
        volume(
                "made",
                "gold",
                "Delete",
                Map.of(
                        "kind",
                        "PersistentVolumeClaim",
                        "namespace",
                        "default",
                        "name",
                        "x",
                        "uid",
                        claim.text("metadata", "uid").orElseThrow()));
        assertThat(collected("volume_operation_total_seconds"))
                .containsEntry("_sum{plugin_name=ext.example.com/nfs, operation_name=provision}", 3.0)
                .containsEntry("_count{plugin_name=ext.example.com/nfs, operation_name=provision}", 1.0)
                .containsEntry("_bucket{plugin_name=ext.example.com/nfs, operation_name=provision, le=2.5}", 0.0)
                .containsEntry("_bucket{plugin_name=ext.example.com/nfs, operation_name=provision, le=5}", 1.0)
                .containsEntry("_bucket{plugin_name=ext.example.com/nfs, operation_name=provision, le=+Inf}", 1.0)
                .hasSize(16);
        assertThat(metrics.running()).isZero();

        delete(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of("default", "x"));
        pass(Duration.ofSeconds(40));
        assertThat(collected("mooring_released_volumes"))
                .isEqualTo(Map.of("{storage_class=gold, reclaim_policy=Delete}", 1.0));
        assertThat(collected("mooring_released_volumes_oldest_seconds"))
                .isEqualTo(Map.of("{storage_class=gold, reclaim_policy=Delete}", 40.0));
        delete(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("made"));
        assertThat(collected("volume_operation_total_seconds"))
                .containsEntry("_sum{plugin_name=ext.example.com/nfs, operation_name=delete}", 40.0)
                .hasSize(32);
        assertThat(collected("mooring_released_volumes")).isEmpty();
        assertThat(metrics.running()).isZero();
    }

    @Test
    @DisplayName("forget the provisioning of a claim that goes before it is bound")
    void claimGoes() {
        storageClass("gold", false);
        claim("x", "gold");
        assertThat(metrics.running()).isOne();
        delete(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of("default", "x"));
        assertThat(metrics.running()).isZero();
        assertThat(collected("volume_operation_total_seconds")).isEmpty();
    }

    @Test
    @DisplayName("count claims that got the default class later")
    void retroactive() {
        claim("x", "none");
        claim("y", "");
        storageClass("gold", true);
        assertThat(object(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of("default", "x"))
                        .text("spec", "storageClassName"))
                .contains("gold");
        assertThat(collected("retroactive_storageclass_total")).isEqualTo(Map.of("{}", 1.0));
        assertThat(collected("retroactive_storageclass_errors_total")).isEqualTo(Map.of("{}", 0.0));
    }

    @Test
    @DisplayName("report what is left over, the oldest first")
    void leftOvers() throws Exception {
        claim("unbound", "gold");
        pass(Duration.ofDays(1));
        volume("a", "gold", "Retain", Map.of());
        claim("used", "silver");
        create(
                Kinds.POD,
                Map.of("name", "p", "namespace", "default"),
                Map.of(
                        "spec",
                        Map.of(
                                "containers",
                                List.of(Map.of("name", "c", "image", "i")),
                                "volumes",
                                List.of(Map.of("name", "v", "persistentVolumeClaim", Map.of("claimName", "used"))))));
        pass(Duration.ofHours(1));
        volume("b", "silver", "Retain", Map.of());
        delete(Kinds.POD, ObjectKey.of("default", "p"));
        delete(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of("default", "used"));
        pass(Duration.ofHours(2));
        LeftOvers found =
                runtime.ask(caches -> LeftOvers.in(caches, now.wall())).get(60, TimeUnit.SECONDS);
        assertThat(found.claims())
                .extracting(each -> each.key() + " " + each.volume() + " " + each.age() + " " + each.size())
                .containsExactly("default/unbound a PT27H 2Gi");
        assertThat(found.volumes())
                .extracting(each ->
                        each.name() + " " + each.phase() + " " + each.claim().orElseThrow() + " " + each.reclaimPolicy()
                                + " " + each.age() + " " + each.size())
                .containsExactly("b RELEASED default/used Retain PT2H 2Gi");
    }

    @Test
    @DisplayName("report no claim that an unfinished pod names")
    void usedClaim() throws Exception {
        claim("used", "silver");
        create(
                Kinds.POD,
                Map.of("name", "p", "namespace", "default"),
                Map.of(
                        "spec",
                        Map.of(
                                "containers",
                                List.of(Map.of("name", "c", "image", "i")),
                                "volumes",
                                List.of(Map.of("name", "v", "persistentVolumeClaim", Map.of("claimName", "used"))))));
        assertThat(runtime.ask(caches -> LeftOvers.in(caches, now.wall()).claims())
                        .get(60, TimeUnit.SECONDS))
                .isEmpty();
        Document over = Document.empty().with("Succeeded", "status", "phase");
        store.patchDocument(Kinds.POD, ObjectKey.of("default", "p"), "status", over)
                .orThrow();
        settle();
        assertThat(runtime.ask(caches -> LeftOvers.in(caches, now.wall()).claims())
                        .get(60, TimeUnit.SECONDS))
                .hasSize(1);
    }
}
