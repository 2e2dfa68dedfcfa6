// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.v1.Topology;
import dev.mooring.csi.v1.TopologyRequirement;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.CSINode;
import dev.mooring.storage.model.CSINodeDriver;
import dev.mooring.storage.model.CSINodeSpec;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** From where a new volume has to be reachable (semantics/csi §8.5). */
class VolumePlacesTest {
    private static final String DRIVER = "d.example.com";

    private final List<Node> nodes = new ArrayList<>();
    private final List<CSINode> drivers = new ArrayList<>();

    private void node(String name, Map<String, String> labels, String... keys) {
        Node node = Node.of(name);
        nodes.add(node.withMetadata(node.metadata().withLabels(labels)));
        drivers.add(new CSINode(
                ObjectMeta.named(name),
                new CSINodeSpec(List.of(new CSINodeDriver(DRIVER, "id-" + name, List.of(keys), Optional.empty())))));
    }

    private void threeZones() {
        node("n1", Map.of("zone", "a", "rack", "1"), "zone");
        node("n2", Map.of("zone", "b", "rack", "2"), "zone");
        node("n3", Map.of("zone", "c", "rack", "3"), "zone");
    }

    private Outcome<TopologyRequirement> required(String claim, Optional<String> selected, List<Document> allowed) {
        return new VolumePlaces(DRIVER, nodes, drivers).requirement(claim, selected, allowed);
    }

    private static Document allowed(String key, String... values) {
        return Document.of(Map.of("matchLabelExpressions", List.of(Map.of("key", key, "values", List.of(values)))));
    }

    private static List<Map<String, String>> places(List<Topology> topologies) {
        return topologies.stream().map(Topology::getSegmentsMap).toList();
    }

    private static List<String> preferred(Outcome<TopologyRequirement> outcome) {
        return places(outcome.result().orElseThrow().getPreferredList()).stream()
                .map(place -> String.join(",", place.values()))
                .toList();
    }

    @Test
    void theSelectedNodesPlaceIsPreferredAndAllPlacesAreTold() {
        threeZones();

        Outcome<TopologyRequirement> outcome = required("data", Optional.of("n2"), List.of());

        assertThat(preferred(outcome)).containsExactly("b", "c", "a");
        assertThat(places(outcome.result().orElseThrow().getRequisiteList()))
                .containsExactly(Map.of("zone", "a"), Map.of("zone", "b"), Map.of("zone", "c"));
    }

    @Test
    void theClassLeavesOnlyThePlacesThatItAllows() {
        threeZones();

        assertThat(preferred(required("data", Optional.of("n2"), List.of(allowed("zone", "b", "c")))))
                .containsExactly("b", "c");
        assertThat(required("data", Optional.of("n1"), List.of(allowed("zone", "b"), allowed("zone", "c")))
                        .isRefused(Refusal.INCOMPATIBLE))
                .isTrue();
        assertThat(preferred(required("data", Optional.empty(), List.of(allowed("zone", "c")))))
                .containsExactly("c");
    }

    @Test
    void replicasFollowEachOtherAndClaimsOfOneReplicaShareAPlace() {
        threeZones();

        List<String> firsts = List.of("data-web-0", "data-web-1", "data-web-2", "data-web-3").stream()
                .map(claim ->
                        preferred(required(claim, Optional.empty(), List.of())).get(0))
                .toList();

        assertThat(firsts.subList(0, 3)).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(firsts.get(3)).isEqualTo(firsts.get(0));
        assertThat(preferred(required("logs-web-1", Optional.empty(), List.of()))
                        .get(0))
                .isEqualTo(firsts.get(1));
    }

    @Test
    void aSelectedNodeThatIsUnknownIsNotFoundAndOneWithoutKeysOrLabelsIsWaitedFor() {
        threeZones();
        node("bare", Map.of("zone", "a"));
        node("unlabelled", Map.of(), "zone");

        assertThat(required("data", Optional.of("gone"), List.of()).isRefused(Refusal.NOT_FOUND))
                .isTrue();
        assertThat(required("data", Optional.of("bare"), List.of())).isInstanceOf(Outcome.Deferred.class);
        assertThat(required("data", Optional.of("unlabelled"), List.of())).isInstanceOf(Outcome.Deferred.class);
        assertThat(preferred(required("data", Optional.empty(), List.of()))).hasSize(3);
    }

    @Test
    void withoutANodeOfTheDriverTheClaimWaits() {
        assertThat(required("data", Optional.empty(), List.of())).isInstanceOf(Outcome.Deferred.class);
    }

    @Test
    void theKeysOfMostNodesDecideWhileADriverIsBeingReplaced() {
        node("n1", Map.of("zone", "a", "rack", "1"), "zone");
        node("n2", Map.of("zone", "b", "rack", "2"), "zone", "rack");
        node("n3", Map.of("zone", "c", "rack", "3"), "rack", "zone");

        assertThat(preferred(required("data", Optional.empty(), List.of()))).containsExactlyInAnyOrder("2,b", "3,c");
        assertThat(preferred(required("data", Optional.of("n1"), List.of()))).containsExactly("a", "b", "c");
    }

    @Test
    void aVolumeIsReachableFromThePlacesThatTheDriverNamed() {
        Topology place = Topology.newBuilder().putSegments("zone", "a").build();

        assertThat(VolumePlaces.affinity(List.of(Topology.getDefaultInstance())))
                .isEmpty();
        assertThat(VolumePlaces.affinity(List.of(place, Topology.getDefaultInstance()))
                        .orElseThrow()
                        .required()
                        .orElseThrow()
                        .nodeSelectorTerms())
                .hasSize(1);
    }
}
