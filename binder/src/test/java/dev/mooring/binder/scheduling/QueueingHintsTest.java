// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static dev.mooring.binder.scheduling.SchedulingObjects.claim;
import static dev.mooring.binder.scheduling.SchedulingObjects.limit;
import static dev.mooring.binder.scheduling.SchedulingObjects.local;
import static dev.mooring.binder.scheduling.SchedulingObjects.node;
import static dev.mooring.binder.scheduling.SchedulingObjects.pod;
import static dev.mooring.binder.scheduling.SchedulingObjects.pool;
import static dev.mooring.binder.scheduling.SchedulingObjects.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.scheduling.QueueingHint.Source;
import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.CSIStorageCapacity;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeAttachmentSource;
import dev.mooring.storage.model.VolumeAttachmentSpec;
import dev.mooring.storage.model.VolumeAttachmentStatus;
import dev.mooring.storage.model.VolumeBindingMode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which change wakes which pods: Kubernetes' queueing hints (semantics/binder §3.6, §3.9), one row each. */
class QueueingHintsTest {
    private record Row(String what, List<KubernetesObject> before, KubernetesObject after, List<QueueingHint> cues) {
        @Override
        public String toString() {
            return what;
        }
    }

    private static Row added(String what, KubernetesObject object, QueueingHint... cues) {
        return new Row(what, List.of(), object, List.of(cues));
    }

    private static Row changed(String what, KubernetesObject before, KubernetesObject after, QueueingHint... cues) {
        return new Row(what, List.of(before), after, List.of(cues));
    }

    private static QueueingHint cue(Source source, String name) {
        return QueueingHint.of(source, name);
    }

    static Stream<Row> rows() {
        return Stream.concat(storage(), machines());
    }

    private static Stream<Row> storage() {
        QueueingHint free = cue(Source.FREE_VOLUME, "local");
        QueueingHint v = cue(Source.VOLUME, "v");
        QueueingHint c = QueueingHint.claim(ObjectKey.of("default", "c"));
        QueueingHint space = cue(Source.SPACE, "gold");
        return Stream.of(
                added("a free volume", volume("v", "1Gi"), v, free),
                added("a claimed volume", SchedulingObjects.claimedBy(volume("v", "1Gi"), claim("c", "1Gi")), v, c),
                changed(
                        "a volume is released",
                        SchedulingObjects.claimedBy(volume("v", "1Gi"), claim("c", "1Gi")),
                        volume("v", "1Gi"),
                        v,
                        c,
                        free),
                changed("a volume grows", volume("v", "1Gi"), volume("v", "2Gi"), v, free),
                changed("a free volume's status", volume("v", "1Gi"), said(volume("v", "1Gi")), v),
                added("a claim", claim("c", "1Gi"), c),
                added("a class", local(), cue(Source.CLASS, "local")),
                changed(
                        "a class allows other nodes",
                        local(),
                        SchedulingObjects.allowing(local(), "a", "b"),
                        cue(Source.CLASS, "local")),
                changed(
                        "a class's label",
                        local(),
                        local().withMetadata(ObjectMeta.named("local").withLabels(Map.of("a", "b")))),
                added("space", pool("s", "gold", "n", "1Gi"), space),
                changed("more space", pool("s", "gold", "n", "1Gi"), pool("s", "gold", "n", "2Gi"), space),
                changed("less space", pool("s", "gold", "n", "2Gi"), pool("s", "gold", "n", "1Gi")),
                changed("as much space as before", pool("s", "gold", "n", "1Gi"), pool("s", "gold", "n", "1Gi")),
                changed(
                        "larger volumes from as much space",
                        largest(pool("s", "gold", "n", "9Gi"), "1Gi"),
                        largest(pool("s", "gold", "n", "9Gi"), "2Gi"),
                        space),
                changed(
                        "another provisioner makes the volumes of a class",
                        SchedulingObjects.delayed("gold", "a.example.com"),
                        SchedulingObjects.delayed("gold", "b.example.com"),
                        cue(Source.CLASS, "gold")),
                changed(
                        "a class waits for its consumers no more",
                        local(),
                        local().withVolumeBindingMode(Optional.of(VolumeBindingMode.IMMEDIATE)),
                        cue(Source.CLASS, "local")),
                changed("a driver keeps account as before", SchedulingObjects.keepingAccount("d"), labelled("d")),
                changed("space elsewhere", pool("s", "gold", "n", "1Gi"), pool("s", "gold", "m", "1Gi"), space),
                added("a driver that keeps account", SchedulingObjects.keepingAccount("d")),
                changed(
                        "a driver ceases to",
                        SchedulingObjects.keepingAccount("d"),
                        silent("d"),
                        cue(Source.DRIVER, "d")));
    }

    private static dev.mooring.storage.model.PersistentVolume said(dev.mooring.storage.model.PersistentVolume volume) {
        return volume.withStatus(volume.status().withMessage("so"));
    }

    private static CSIStorageCapacity largest(CSIStorageCapacity pool, String size) {
        return pool.withMaximumVolumeSize(Optional.of(Quantity.parse(size)));
    }

    private static CSIDriver labelled(String name) {
        CSIDriver driver = SchedulingObjects.keepingAccount(name);
        return driver.withMetadata(driver.metadata().withLabels(Map.of("a", "b")));
    }

    private static CSIDriver silent(String name) {
        CSIDriver driver = SchedulingObjects.keepingAccount(name);
        return driver.withSpec(driver.spec().withStorageCapacity(Optional.of(false)));
    }

    private static Stream<Row> machines() {
        QueueingHint n = cue(Source.NODE, "n");
        Node node = node("n");
        Pod there = SchedulingObjects.at(pod("p"), "n");
        return Stream.of(
                added("a node", node, n, QueueingHint.ANY_NODE),
                changed("a node's label", node, SchedulingObjects.labelled(node, "a", "b"), n, QueueingHint.ANY_NODE),
                changed(
                        "a node's cordon",
                        node.withSpec(node.spec().withUnschedulable(true)),
                        node,
                        n,
                        QueueingHint.ANY_NODE),
                changed(
                        "a node's heartbeat",
                        node,
                        node.withStatus(node.status().withVolumesInUse(List.of("x")))),
                added("a node's limits", limit("n", 1), QueueingHint.SLOT),
                changed("more limits", limit("n", 1), limit("n", 2), QueueingHint.SLOT),
                changed("the limits as before", limit("n", 1), limit("n", 1)),
                changed("a node's readiness", unready(node), node, n, QueueingHint.ANY_NODE),
                changed(
                        "a placed pod's label",
                        there,
                        there.withMetadata(there.metadata().withLabels(Map.of("a", "b")))),
                added("a pod without a node", pod("p")),
                added("a pod with a node", there),
                changed(
                        "a pod finishes",
                        there,
                        there.withStatus(there.status().withPhase(PodPhase.FAILED)),
                        QueueingHint.POD_GONE),
                added("an attachment", attachment()));
    }

    private static Node unready(Node node) {
        return node.withStatus(node.status().withConditions(List.of(NodeRulesTest.ready(ConditionStatus.FALSE))));
    }

    private static VolumeAttachment attachment() {
        return new VolumeAttachment(
                ObjectMeta.named("a"),
                new VolumeAttachmentSpec("d", "n", VolumeAttachmentSource.EMPTY),
                VolumeAttachmentStatus.EMPTY);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void wakesWhoCanBeHelped(Row row) {
        Known known = Known.of(row.before().toArray(KubernetesObject[]::new));
        known.put(row.after());
        assertThat(known.cues).containsExactlyInAnyOrderElementsOf(row.cues());
    }

    @Test
    void aVolumeThatGoesHelpsWhoWaitsForIt() {
        Known known = Known.of(volume("v", "1Gi"));
        known.remove(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("v"));
        assertThat(known.cues).containsExactly(cue(Source.VOLUME, "v"));
        assertThat(known.indexes.volumes().isFree("v")).isFalse();
    }

    @Test
    void whoWaitsForSomethingElseNowIsNotWokenByWhatItWaitedFor() {
        ObjectKey pod = ObjectKey.of("default", "p");
        ObjectKey other = ObjectKey.of("default", "q");
        QueueingHints cues = new QueueingHints();
        cues.register(pod, Set.of(QueueingHint.SLOT, QueueingHint.POD_GONE));
        cues.register(other, Set.of(QueueingHint.SLOT));
        assertThat(cues.waitingFor(Set.of(QueueingHint.SLOT))).containsExactly(pod, other);
        cues.register(pod, Set.of(QueueingHint.POD_GONE));
        assertThat(cues.waitingFor(Set.of(QueueingHint.SLOT))).containsExactly(other);
        assertThat(cues.waitingFor(Set.of(QueueingHint.POD_GONE))).containsExactly(pod);
        cues.register(pod, Set.of());
        assertThat(cues.waitingFor(Set.of(QueueingHint.POD_GONE))).isEmpty();
    }

    @Test
    void whatGoesHelpsToo() {
        Known known = Known.of(SchedulingObjects.at(pod("p"), "n"), attachment(), node("n"));
        known.remove(Kinds.POD, ObjectKey.of("default", "p"));
        assertThat(known.cues).containsExactly(QueueingHint.POD_GONE);
        known.remove(Kinds.VOLUME_ATTACHMENT, ObjectKey.cluster("a"));
        assertThat(known.cues).containsExactly(QueueingHint.SLOT);
        known.remove(Kinds.NODE, ObjectKey.cluster("n"));
        assertThat(known.cues).containsExactly(QueueingHint.of(Source.NODE, "n")); // only who is on the way there
    }
}
