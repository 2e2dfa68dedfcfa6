// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.control.BinderObjects;
import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeBindingMode;
import dev.mooring.storage.model.VolumeNodeAffinity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where the data of a volume is, and where a class allows new volumes. */
class NodeChoiceTest {
    private static final String ZONE = "topology.kubernetes.io/zone";

    private static Node node(String name, String zone) {
        Node node = Node.of(name);
        return node.withMetadata(node.metadata().withUid("uid-" + name).withLabels(Map.of(ZONE, zone)));
    }

    private static Caches nodes(String... zones) {
        Caches caches = new Caches(List.of(Kinds.NODE), change -> {});
        for (int i = 0; i < zones.length; i++) {
            caches.of(Kinds.NODE).put(node("n" + (i + 1), zones[i]), Origin.WATCH);
        }
        return caches;
    }

    private static PersistentVolume in(String zone) {
        PersistentVolume volume = BinderObjects.volume("pv", "1Gi");
        return volume.withSpec(volume.spec().withNodeAffinity(Optional.of(VolumeNodeAffinity.onlyWhere(ZONE, zone))));
    }

    @ParameterizedTest(name = "nodes in {0}: held by \"{1}\", nowhere: {2}")
    @CsvSource({"a, n1, false", "a b, n1, false", "b a, n2, false", "a a, '', false", "b, '', true", "'', '', true"})
    void theDataIsOnTheOnlyNodeThatMayHoldIt(String zones, String holder, boolean nowhere) {
        Caches caches = zones.isEmpty() ? nodes() : nodes(zones.split(" "));
        assertThat(NodeChoice.holding(caches, in("a")).map(node -> node.name()).orElse(""))
                .isEqualTo(holder);
        assertThat(NodeChoice.isNowhere(caches, in("a"))).isEqualTo(nowhere);
    }

    @Test
    void aVolumeWithoutAffinityIsHeldByTheOnlyNode() {
        PersistentVolume anywhere = BinderObjects.volume("pv", "1Gi");
        assertThat(NodeChoice.holding(nodes("a"), anywhere)).isPresent();
        assertThat(NodeChoice.holding(nodes("a", "b"), anywhere)).isEmpty();
    }

    private static StorageClass allowing(Map<String, ?> term) {
        return BinderObjects.storageClass("gold", "far.example.com", VolumeBindingMode.IMMEDIATE)
                .withAllowedTopologies(List.of(Document.of(term)));
    }

    @Test
    void aClassAllowsWhereAllExpressionsOfATermHold() {
        Map<String, ?> zone = Map.of("key", ZONE, "values", List.of("a", "b"));
        Map<String, ?> rack = Map.of("key", "rack", "values", List.of("1"));
        StorageClass one = allowing(Map.of("matchLabelExpressions", List.of(zone)));
        StorageClass both = allowing(Map.of("matchLabelExpressions", List.of(zone, rack)));
        assertThat(Topologies.allow(one, Map.of(ZONE, "b"))).isTrue();
        assertThat(Topologies.allow(one, Map.of(ZONE, "c"))).isFalse();
        assertThat(Topologies.allow(both, Map.of(ZONE, "b"))).isFalse();
        assertThat(Topologies.allow(both, Map.of(ZONE, "b", "rack", "1"))).isTrue();
    }

    @Test
    void whatIsNoExpressionHoldsNowhere() {
        assertThat(Topologies.allow(allowing(Map.of("matchLabelExpressions", List.of("zone a"))), Map.of(ZONE, "a")))
                .isFalse();
        assertThat(Topologies.allow(allowing(Map.of("matchLabelExpressions", "zone a")), Map.of(ZONE, "a")))
                .isFalse();
        assertThat(Topologies.allow(allowing(Map.of()), Map.of(ZONE, "a"))).isFalse();
    }
}
