// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.registration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.CSINode;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Refusal;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What Node and CSINode say of drivers (semantics/csi §5). */
class NodeObjectsTest {
    private static DriverOnNode driver(String name, Map<String, String> topology) {
        return new DriverOnNode(name, "id-" + name, topology, OptionalLong.empty());
    }

    private static Node entered(Node node, DriverOnNode driver) {
        return NodeObjects.with(node, driver).result().orElseThrow();
    }

    private static Node labelled(Map<String, String> labels) {
        Node node = Node.of("n1");
        return node.withMetadata(node.metadata().withLabels(labels));
    }

    @Test
    void theDriversOwnLabelFollowsTheDriver() {
        Node first = entered(labelled(Map.of("a", "b")), driver("d", Map.of("zone", "1", "rack", "2")));
        Node second = entered(first, driver("d", Map.of("zone", "9")));

        assertThat(first.metadata().labels()).isEqualTo(Map.of("a", "b", "zone", "1", "rack", "2"));
        assertThat(second.metadata().labels()).isEqualTo(Map.of("a", "b", "zone", "9"));
    }

    @Test
    void aLabelOfOthersIsNeitherChangedNorRemoved() {
        Node node = labelled(Map.of("zone", "1"));

        assertThat(NodeObjects.with(node, driver("d", Map.of("zone", "2"))).isRefused(Refusal.INCOMPATIBLE))
                .isTrue();
        Node same = entered(node, driver("d", Map.of("zone", "1")));
        assertThat(entered(same, driver("d", Map.of())).metadata().labels()).containsEntry("zone", "1");
    }

    @Test
    void aLabelThatTwoDriversReportGoesWithTheLastOfThem() {
        Node both = entered(entered(Node.of("n1"), driver("d", Map.of("zone", "1"))), driver("e", Map.of("zone", "1")));
        Node one = entered(both, driver("d", Map.of()));

        assertThat(NodeObjects.with(both, driver("d", Map.of("zone", "2"))).isRefused(Refusal.INCOMPATIBLE))
                .isTrue();
        assertThat(one.metadata().labels()).containsEntry("zone", "1");
        assertThat(entered(one, driver("e", Map.of())).metadata().labels()).isEmpty();
    }

    @Test
    void whatAnotherAgentHasEscapedStaysAsItIs() {
        String written = "{\"other\":\"a\\\"b\"}";
        Node node = Node.of("n1");
        node = node.withMetadata(node.metadata().withAnnotation("csi.volume.kubernetes.io/nodeid", written));

        assertThat(entered(node, driver("d", Map.of())).metadata().annotation("csi.volume.kubernetes.io/nodeid"))
                .contains("{\"d\":\"id-d\",\"other\":\"a\\\"b\"}");
    }

    @Test
    void theNodeNamesEachDriverUntilItLeaves() {
        Node both = entered(entered(Node.of("n1"), driver("d", Map.of())), driver("e", Map.of()));
        Node one = NodeObjects.without(both, "d");

        assertThat(both.metadata().annotation("csi.volume.kubernetes.io/nodeid"))
                .contains("{\"d\":\"id-d\",\"e\":\"id-e\"}");
        assertThat(one.metadata().annotation("csi.volume.kubernetes.io/nodeid")).contains("{\"e\":\"id-e\"}");
        assertThat(NodeObjects.without(one, "e").metadata().annotations()).isEmpty();
    }

    @Test
    void anEntryIsStaleIfItsNodeIdOrItsKeysDiffer() {
        DriverOnNode driver = driver("d", Map.of("zone", "1"));
        CSINode node = NodeObjects.with(NodeObjects.fresh(new NodeRef("n1", "u")), driver);

        assertThat(NodeObjects.isStale(NodeObjects.entry(node, "d").orElseThrow(), driver))
                .isFalse();
        assertThat(NodeObjects.isStale(NodeObjects.entry(node, "d").orElseThrow(), driver("d", Map.of("zone", "2"))))
                .isFalse();
        assertThat(NodeObjects.isStale(NodeObjects.entry(node, "d").orElseThrow(), driver("d", Map.of("rack", "1"))))
                .isTrue();
        assertThat(NodeObjects.isStale(
                        NodeObjects.entry(node, "d").orElseThrow(),
                        new DriverOnNode("d", "other", Map.of("zone", "1"), OptionalLong.empty())))
                .isTrue();
        assertThat(NodeObjects.without(node, "d").spec().drivers()).isEmpty();
        assertThat(NodeObjects.with(node, driver)).isEqualTo(node);
    }

    @Test
    void aCsiNodeOfAFormerNodeIsNotThisNodes() {
        CSINode node = NodeObjects.fresh(new NodeRef("n1", "old"));

        assertThat(NodeObjects.isOf(node, new NodeRef("n1", "old"))).isTrue();
        assertThat(NodeObjects.isOf(node, new NodeRef("n1", "new"))).isFalse();
    }
}
