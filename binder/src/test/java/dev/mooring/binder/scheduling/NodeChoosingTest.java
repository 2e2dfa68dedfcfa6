// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static dev.mooring.binder.scheduling.SchedulingObjects.annotated;
import static dev.mooring.binder.scheduling.SchedulingObjects.at;
import static dev.mooring.binder.scheduling.SchedulingObjects.bound;
import static dev.mooring.binder.scheduling.SchedulingObjects.claim;
import static dev.mooring.binder.scheduling.SchedulingObjects.delayed;
import static dev.mooring.binder.scheduling.SchedulingObjects.forOnePod;
import static dev.mooring.binder.scheduling.SchedulingObjects.inline;
import static dev.mooring.binder.scheduling.SchedulingObjects.labelled;
import static dev.mooring.binder.scheduling.SchedulingObjects.limit;
import static dev.mooring.binder.scheduling.SchedulingObjects.local;
import static dev.mooring.binder.scheduling.SchedulingObjects.node;
import static dev.mooring.binder.scheduling.SchedulingObjects.ofClass;
import static dev.mooring.binder.scheduling.SchedulingObjects.on;
import static dev.mooring.binder.scheduling.SchedulingObjects.pod;
import static dev.mooring.binder.scheduling.SchedulingObjects.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.scheduling.QueueingHint.Source;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the small scheduler says of a pod that has no node, and what it waits for then. */
class NodeChoosingTest {
    private static final QueueingHint CLAIM = QueueingHint.claim(ObjectKey.of("default", "c"));

    private record Row(String what, Pod pod, List<KubernetesObject> world, String message, Set<QueueingHint> cues) {
        @Override
        public String toString() {
            return what;
        }
    }

    private static final class Table {
        private final Stream.Builder<Row> rows = Stream.builder();

        private void row(String what, Pod pod, String message, Set<QueueingHint> cues, KubernetesObject... world) {
            rows.add(new Row(what, pod, List.of(world), message, cues));
        }
    }

    static Stream<Row> rows() {
        Table table = new Table();
        PersistentVolumeClaim c = claim("c", "1Gi");
        Pod p = pod("p", "c");
        table.row("no nodes", pod("p"), "no nodes available to schedule pods", Set.of(QueueingHint.ANY_NODE));
        table.row(
                "a node that takes no pods",
                pod("p"),
                "0/1 nodes are available: 1 node(s) were unschedulable.",
                Set.of(QueueingHint.ANY_NODE),
                cordoned());
        table.row(
                "a claim that does not exist",
                p,
                "0/1 nodes are available: persistentvolumeclaim \"c\" not found.",
                Set.of(QueueingHint.ANY_NODE, CLAIM),
                node("n1"));
        table.row(
                "a claim for one pod",
                p,
                "0/1 nodes are available: 1 " + VolumeRestrictionsFilter.ONE_POD_CONFLICT + ".",
                Set.of(QueueingHint.ANY_NODE, CLAIM, QueueingHint.of(Source.VOLUME, "v"), QueueingHint.POD_GONE),
                node("n1"),
                forOnePod(bound(c, "v")),
                volume("v", "1Gi"),
                at(pod("o", "c"), "n1"));
        table.row(
                "a disk in use",
                inline("p", "iscsi", Map.of("iqn", "q")),
                "0/1 nodes are available: 1 " + VolumeRestrictionsFilter.DISK_CONFLICT + ".",
                Set.of(QueueingHint.ANY_NODE, QueueingHint.POD_GONE),
                node("n1"),
                at(inline("o", "iscsi", Map.of("iqn", "q")), "n1"));
        table.row(
                "no slot",
                p,
                "0/1 nodes are available: 1 " + VolumeLimitsFilter.EXCEEDED + ".",
                Set.of(
                        QueueingHint.ANY_NODE,
                        CLAIM,
                        QueueingHint.of(Source.VOLUME, "v"),
                        QueueingHint.POD_GONE,
                        QueueingHint.SLOT),
                node("n1"),
                bound(c, "v"),
                volume("v", "1Gi"),
                limit("n1", 0));
        table.row(
                "no slot for the volume that would be chosen",
                p,
                "0/1 nodes are available: 1 " + VolumeLimitsFilter.EXCEEDED + ".",
                Set.of(
                        QueueingHint.ANY_NODE,
                        CLAIM,
                        QueueingHint.of(Source.CLASS, "local"),
                        QueueingHint.of(Source.FREE_VOLUME, "local"),
                        QueueingHint.of(Source.SPACE, "local"),
                        QueueingHint.of(Source.DRIVER, "kubernetes.io/no-provisioner"),
                        QueueingHint.POD_GONE,
                        QueueingHint.SLOT),
                node("n1"),
                c,
                local(),
                volume("v", "1Gi"),
                limit("n1", 0));
        table.row(
                "no slot, and a volume out of reach: the first reason counts",
                p,
                "0/1 nodes are available: 1 " + VolumeLimitsFilter.EXCEEDED + ".",
                Set.of(
                        QueueingHint.ANY_NODE,
                        CLAIM,
                        QueueingHint.of(Source.VOLUME, "v"),
                        QueueingHint.POD_GONE,
                        QueueingHint.SLOT),
                node("n1"),
                bound(c, "v"),
                on(volume("v", "1Gi"), "n2"),
                limit("n1", 0));
        table.row(
                "a bound claim whose volume has gone",
                p,
                "0/1 nodes are available: persistentvolume \"v\" not found.",
                Set.of(QueueingHint.ANY_NODE, CLAIM, QueueingHint.of(Source.VOLUME, "v")),
                node("n1"),
                bound(c, "v"));
        table.row(
                "another zone",
                p,
                "0/1 nodes are available: 1 " + VolumeZoneFilter.CONFLICT + ".",
                Set.of(QueueingHint.ANY_NODE, CLAIM, QueueingHint.of(Source.VOLUME, "v")),
                labelled(node("n1"), SchedulingObjects.ZONE, "a"),
                bound(c, "v"),
                labelled(volume("v", "1Gi"), SchedulingObjects.ZONE, "b"));
        table.row(
                "no space",
                p,
                "0/1 nodes are available: 1 " + VolumeBindingFilter.NO_SPACE + ".",
                Set.of(
                        QueueingHint.ANY_NODE,
                        CLAIM,
                        QueueingHint.of(Source.CLASS, "gold"),
                        QueueingHint.of(Source.FREE_VOLUME, "gold"),
                        QueueingHint.of(Source.SPACE, "gold"),
                        QueueingHint.of(Source.DRIVER, "far.example.com")),
                node("n1"),
                ofClass(c, "gold"),
                delayed("gold", "far.example.com"),
                SchedulingObjects.keepingAccount("far.example.com"));
        table.row(
                "reasons are counted, in their order as text",
                p,
                "0/3 nodes are available: 1 node(s) were unschedulable, 2 " + VolumeBindingFilter.NODE_CONFLICT + ".",
                Set.of(QueueingHint.ANY_NODE, CLAIM, QueueingHint.of(Source.VOLUME, "v")),
                cordoned(),
                node("n2"),
                node("n3"),
                bound(c, "v"),
                on(volume("v", "1Gi"), "n1"));
        return table.rows.build();
    }

    private static KubernetesObject cordoned() {
        Node node = node("n1");
        return node.withSpec(node.spec().withUnschedulable(true));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void saysWhyAndWaitsForWhatCanHelp(Row row) {
        Known known = Known.of(row.world().toArray(KubernetesObject[]::new)).put(row.pod());
        NodeChoosing.Choice choice = NodeChoosing.choose(row.pod(), known.view());
        assertThat(choice.assumption()).isEmpty();
        assertThat(choice.message()).isEqualTo(row.message());
        assertThat(choice.cues()).isEqualTo(row.cues());
    }

    @Test
    void ofEqualNodesTheFirstByNameIsChosen() {
        Known known = Known.of(node("n2"), node("n1"), node("n3"));
        assertThat(NodeChoosing.choose(pod("p"), known.view()).assumption().map(Assumption::node))
                .contains("n1");
        known.put(at(pod("o"), "n1"));
        assertThat(NodeChoosing.choose(pod("p"), known.view()).assumption().map(Assumption::node))
                .contains("n2");
    }

    @Test
    void anEmptyAnnotationSelectsNoNode() {
        PersistentVolumeClaim open = annotated(ofClass(claim("c", "1Gi"), "gold"), Annotations.SELECTED_NODE, "");
        Known known = Known.of(node("n1"), open, delayed("gold", "far.example.com"));
        assertThat(NodeChoosing.choose(pod("p", "c"), known.view()).assumption())
                .isPresent();
    }
}
