// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.distribution.operations.MetricsText;
import dev.mooring.distribution.wiring.Awaiting;
import dev.mooring.distribution.wiring.LocalCluster;
import dev.mooring.distribution.wiring.LocalParts;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.runtime.metrics.Metric;
import dev.mooring.runtime.metrics.Sample;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.HostServices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/operate/metrics.md and the dashboard speak of the metrics that there are, and the page of all of them. */
class MetricsPageTest {
    private static final Path ROOT = Path.of(System.getProperty("mooring.root", ".."));
    private static final Path DASHBOARD = ROOT.resolve("distribution/src/dist/grafana/mooring.json");
    /** What Prometheus' language has beside metrics and labels. */
    private static final Set<String> LANGUAGE =
            Set.of("sum", "max", "by", "rate", "increase", "histogram_quantile", "label_values");

    private static final String OBJECTS = """
            apiVersion: v1
            kind: PersistentVolume
            metadata: {name: disk}
            spec:
              capacity: {storage: 1Gi}
              accessModes: [ReadWriteOnce]
              persistentVolumeReclaimPolicy: Retain
              hostPath: {path: /}
            ---
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: data, namespace: default}
            spec: {accessModes: [ReadWriteOnce], storageClassName: "", resources: {requests: {storage: 1Gi}}}
            ---
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: more, namespace: default}
            spec: {accessModes: [ReadWriteOnce], storageClassName: "", resources: {requests: {storage: 1Ti}}}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: web, namespace: default}
            spec:
              nodeName: here
              containers:
              - {name: main, image: none, volumeMounts: [{name: data, mountPath: /data}]}
              volumes:
              - {name: data, persistentVolumeClaim: {claimName: data}}
            """;

    @TempDir
    private static Path directory = Path.of("");

    private static List<Metric> shown = List.of();

    /** A line of the page. */
    private record Documented(String type, Set<String> labels, String unit, String meaning) {}

    /** A cluster in which something happens, so that metrics have values. */
    @BeforeAll
    static void run() throws IOException {
        List<StoragePlugin> plugins = ServiceLoader.load(StoragePlugin.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        ControllerStatus status = new ControllerStatus(TimeSource.system(), "lease", Duration.ZERO);
        List<Metric> all = new ArrayList<>(status.metrics().join());
        try (MemoryClusterStore store = new MemoryClusterStore(
                        StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(1))));
                LocalCluster cluster =
                        LocalCluster.start(LocalParts.of(store, HostServices.none(), plugins, "here", directory))) {
            for (Document document : KubernetesYaml.standard().readAll(OBJECTS, "objects")) {
                Kind<?> kind = Kinds.standard()
                        .byName("v1", document.text("kind").orElseThrow())
                        .orElseThrow();
                store.createDocument(kind, document).orThrow();
            }
            new Awaiting(store, Duration.ofMinutes(1))
                    .until(
                            Kinds.PERSISTENT_VOLUME_CLAIM,
                            ObjectKey.of("default", "data"),
                            "the claim is bound",
                            claim -> claim.filter(it -> it.status().phase() == ClaimPhase.BOUND)
                                    .isPresent());
            cluster.awaitQuiescence();
            all.addAll(cluster.metrics().join());
        }
        shown = all;
    }

    private static Map<String, Documented> page() throws IOException {
        Map<String, Documented> page = new TreeMap<>();
        for (String line : Files.readAllLines(ROOT.resolve("docs/operate/metrics.md"))) {
            String[] cells = line.split("\\|", -1);
            if (cells.length == 8 && cells[1].strip().startsWith("`")) {
                Set<String> labels = new TreeSet<>(List.of(cells[3].strip().split("[, ]+")));
                labels.remove("");
                Documented documented = new Documented(cells[2].strip(), labels, cells[4].strip(), cells[6].strip());
                assertThat(page.put(cells[1].strip().replace("`", ""), documented))
                        .as(line)
                        .isNull();
            }
        }
        return page;
    }

    @Test
    void everyMetricIsOnThePageWithItsTypeAndThePageHasNoOther() throws IOException {
        Map<String, String> actual = new TreeMap<>();
        shown.forEach(metric -> actual.put(metric.name(), metric.type().name().toLowerCase(java.util.Locale.ROOT)));
        Map<String, String> documented = new TreeMap<>();
        page().forEach((name, line) -> documented.put(name, line.type()));
        assertThat(documented).isEqualTo(actual);
        assertThat(page().values()).allSatisfy(line -> {
            assertThat(line.unit()).isNotEmpty();
            assertThat(line.meaning()).isNotEmpty();
        });
    }

    @Test
    void theLabelsAreThoseOnThePage() throws IOException {
        Map<String, Documented> page = page();
        int compared = 0;
        for (Metric metric : shown) {
            for (Sample sample : metric.samples()) {
                Set<String> labels = new TreeSet<>(sample.labels().keySet());
                labels.remove("le");
                assertThat(labels)
                        .as(metric.name())
                        .isEqualTo(Optional.ofNullable(page.get(metric.name()))
                                .map(Documented::labels)
                                .orElse(Set.of()));
                compared++;
            }
        }
        assertThat(compared).isGreaterThan(20);
    }

    @Test
    void whatHappenedIsCounted() {
        assertThat(MetricsText.of(shown).lines())
                .contains(
                        "pv_collector_bound_pvc_count{namespace=\"default\",storage_class=\"\",volume_attributes_class=\"\"} 1.0",
                        "pv_collector_unbound_pvc_count{namespace=\"default\",storage_class=\"\",volume_attributes_class=\"\"} 1.0",
                        "volume_manager_total_volumes{plugin_name=\"kubernetes.io/host-path\",state=\"desired_state_of_world\"} 1.0")
                .anyMatch(line -> line.startsWith("mooring_decisions_total{controller=\"binder\",loop=\"controllers\"}")
                        || line.startsWith("mooring_decisions_total{loop=\"controllers\",controller=\"binder\"}"));
    }

    @Test
    void theDashboardAsksForNothingElse() throws IOException {
        Document dashboard = KubernetesJson.standard().read(Files.readString(DASHBOARD), "the dashboard");
        Map<String, Documented> page = page();
        Set<String> known = new LinkedHashSet<>(page.keySet());
        page.forEach((name, line) -> {
            if (line.type().equals("histogram")) {
                known.addAll(List.of(name + "_bucket", name + "_sum", name + "_count"));
            }
        });
        Set<String> labels = page.values().stream()
                .flatMap(line -> line.labels().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        labels.addAll(List.of("job", "instance", "le"));
        List<String> queries = new ArrayList<>();
        collect(dashboard.asMap(), queries);
        assertThat(queries).hasSizeGreaterThan(20);
        for (String query : queries) {
            Set<String> metrics = new TreeSet<>();
            Matcher words = Pattern.compile("\"[^\"]*\"|\\$[A-Za-z_]+|[A-Za-z_][A-Za-z0-9_]*")
                    .matcher(query);
            while (words.find()) {
                String word = words.group();
                if (word.startsWith("\"") || word.startsWith("$") || LANGUAGE.contains(word) || labels.contains(word)) {
                    continue;
                }
                metrics.add(word);
            }
            assertThat(metrics).as(query).isNotEmpty().isSubsetOf(known);
        }
    }

    private static void collect(Object value, List<String> queries) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, member) -> {
                boolean query = key.equals("expr")
                        || (key.equals("query") && member instanceof String text && text.startsWith("label_values"));
                if (query && member instanceof String text) {
                    queries.add(text);
                } else {
                    collect(member, queries);
                }
            });
        } else if (value instanceof List<?> list) {
            list.forEach(member -> collect(member, queries));
        }
    }
}
