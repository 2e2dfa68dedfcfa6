// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.simulation.world.Trace.WriteEntry;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A thousand volumes and claims at once, and then nothing. */
@Tag("long")
class ManyPairsTest {
    private static final int PAIRS = 1_000;

    private final SimulatedCluster cluster = new SimulatedCluster(
            Kinds.standard(),
            new MooringControlPlane(
                    SimulatedPlugins.registry(List.of()), Set.of("binder", "pvc-protection", "pv-protection", "node")),
            1);

    @Test
    void bindByFewWritesAndRestThereafter() {
        cluster.start();
        for (int i = 0; i < PAIRS; i++) {
            cluster.users()
                    .apply(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("pv-" + i), volume(i))
                    .orThrow();
            cluster.users()
                    .apply(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of("default", "c-" + i), claim(i))
                    .orThrow();
        }
        cluster.settle();
        assertThat(phases()).isEqualTo(Map.of("Bound", 2L * PAIRS));
        assertThat(cluster.trace().writes()).hasSizeLessThanOrEqualTo(4 * PAIRS);
        assertThat(cluster.trace().writes()).extracting(WriteEntry::outcome).containsOnly("ok");

        cluster.trace().clear();
        cluster.advance(Duration.ofHours(1));
        assertThat(cluster.trace().writes()).isEmpty();
        assertThat(cluster.trace().timers()).isZero();
    }

    private Map<String, Long> phases() {
        return cluster.objects().stream()
                .collect(Collectors.groupingBy(
                        object -> object.text("status", "phase").orElse("none"), Collectors.counting()));
    }

    private static Document volume(int i) {
        return Document.of(Map.of(
                "apiVersion",
                "v1",
                "kind",
                "PersistentVolume",
                "metadata",
                Map.of("name", "pv-" + i),
                "spec",
                Map.of(
                        "capacity", Map.of("storage", (1 + i % 7) + "Gi"),
                        "accessModes", List.of("ReadWriteOnce"),
                        "nfs", Map.of("server", "nfs.example.com", "path", "/exports/" + i))));
    }

    private static Document claim(int i) {
        return Document.of(Map.of(
                "apiVersion",
                "v1",
                "kind",
                "PersistentVolumeClaim",
                "metadata",
                Map.of("name", "c-" + i, "namespace", "default"),
                "spec",
                Map.of(
                        "accessModes", List.of("ReadWriteOnce"),
                        "storageClassName", "",
                        "resources", Map.of("requests", Map.of("storage", (1 + i % 7) + "Gi")))));
    }
}
