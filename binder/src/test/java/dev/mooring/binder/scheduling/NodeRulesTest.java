// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.DocumentEdit;
import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSchedulingGate;
import dev.mooring.storage.model.Taint;
import dev.mooring.storage.model.Toleration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which nodes the small scheduler gives a pod, volumes apart. */
class NodeRulesTest {
    private static final String AFFINITY = "node(s) didn't match Pod's node affinity/selector";

    private static Node tainted(String effect) {
        Node node = SchedulingObjects.node("n1");
        return node.withSpec(node.spec().withTaints(List.of(new Taint("k", "v", effect, Optional.empty()))));
    }

    private static Pod tolerating(String key, String operator, String value, String effect) {
        Pod pod = SchedulingObjects.pod("p");
        return pod.withSpec(
                pod.spec().withTolerations(List.of(new Toleration(key, operator, value, effect, Optional.empty()))));
    }

    private static String why(Pod pod, Node node) {
        return NodeRules.check(pod, node).map(Rejection::reason).orElse("");
    }

    @Test
    void aTaintKeepsOffWhoDoesNotTolerateIt() {
        String untolerated = "node(s) had untolerated taint {k: v}";
        assertThat(why(SchedulingObjects.pod("p"), tainted("NoSchedule"))).isEqualTo(untolerated);
        assertThat(why(SchedulingObjects.pod("p"), tainted("NoExecute"))).isEqualTo(untolerated);
        assertThat(why(SchedulingObjects.pod("p"), tainted("PreferNoSchedule"))).isEmpty();
        assertThat(why(tolerating("k", "", "v", "NoSchedule"), tainted("NoSchedule")))
                .isEmpty();
        assertThat(why(tolerating("k", "Equal", "v", ""), tainted("NoExecute"))).isEmpty();
        assertThat(why(tolerating("k", "Exists", "", ""), tainted("NoExecute"))).isEmpty();
        assertThat(why(tolerating("", "Exists", "", ""), tainted("NoExecute"))).isEmpty();
        assertThat(why(tolerating("k", "Equal", "other", ""), tainted("NoSchedule")))
                .isEqualTo(untolerated);
        assertThat(why(tolerating("k", "Exists", "", "NoExecute"), tainted("NoSchedule")))
                .isEqualTo(untolerated);
        assertThat(why(tolerating("other", "Exists", "", ""), tainted("NoSchedule")))
                .isEqualTo(untolerated);
        assertThat(why(tolerating("k", "Similar", "v", ""), tainted("NoSchedule")))
                .isEqualTo(untolerated);
    }

    @Test
    void aCordonKeepsOffWhoDoesNotTolerateIt() {
        Node node = SchedulingObjects.node("n1");
        Node cordoned = node.withSpec(node.spec().withUnschedulable(true));
        assertThat(why(SchedulingObjects.pod("p"), cordoned)).isEqualTo("node(s) were unschedulable");
        assertThat(why(tolerating("node.kubernetes.io/unschedulable", "Exists", "", "NoSchedule"), cordoned))
                .isEmpty();
    }

    static Condition ready(ConditionStatus status) {
        return new Condition("Ready", status, "", "", Optional.empty(), Optional.empty(), Optional.empty());
    }

    private static Node saying(Condition... conditions) {
        Node node = SchedulingObjects.node("n1");
        return node.withStatus(node.status().withConditions(List.of(conditions)));
    }

    @Test
    void aNodeThatIsNotReadyKeepsOffAsIfItHadTheTaint() {
        Node notReady = saying(ready(ConditionStatus.FALSE));
        Node unreachable = saying(ready(ConditionStatus.UNKNOWN));
        assertThat(why(SchedulingObjects.pod("p"), notReady))
                .isEqualTo("node(s) had untolerated taint {node.kubernetes.io/not-ready: }");
        assertThat(why(SchedulingObjects.pod("p"), unreachable))
                .isEqualTo("node(s) had untolerated taint {node.kubernetes.io/unreachable: }");
        assertThat(why(tolerating("node.kubernetes.io/not-ready", "Exists", "", "NoSchedule"), notReady))
                .isEmpty();
        assertThat(why(tolerating("node.kubernetes.io/not-ready", "Exists", "", "NoSchedule"), unreachable))
                .isNotEmpty();
        assertThat(why(SchedulingObjects.pod("p"), saying(ready(ConditionStatus.TRUE))))
                .isEmpty();
        assertThat(why(
                        SchedulingObjects.pod("p"),
                        saying(ready(ConditionStatus.FALSE).withType("DiskPressure"), ready(ConditionStatus.TRUE))))
                .isEmpty();
    }

    private static Map<String, ?> term(String where, String key, String operator, String... values) {
        return Map.of(where, List.of(Map.of("key", key, "operator", operator, "values", List.of(values))));
    }

    private static Document document(List<? extends Map<String, ?>> terms) {
        Map<String, ?> affinity = Map.of(
                "nodeAffinity",
                Map.of(
                        "requiredDuringSchedulingIgnoredDuringExecution",
                        Map.of("nodeSelectorTerms", terms),
                        "preferredDuringSchedulingIgnoredDuringExecution",
                        List.of()),
                "podAffinity",
                Map.of());
        return Document.of(
                Map.of("metadata", Map.of("name", "p", "namespace", "default"), "spec", Map.of("affinity", affinity)));
    }

    private static Pod wanting(List<? extends Map<String, ?>> terms) {
        return Kinds.POD.read(document(terms));
    }

    @Test
    void theRequiredNodeAffinityHasToMatch() {
        Node node = SchedulingObjects.labelled(SchedulingObjects.node("n1"), "disk", "ssd");
        Map<String, ?> ssd = term("matchExpressions", "disk", "In", "ssd");
        Map<String, ?> gone = term("matchExpressions", "disk", "DoesNotExist");
        Map<String, ?> name = term("matchFields", "metadata.name", "In", "n1");
        assertThat(why(wanting(List.of(ssd)), node)).isEmpty();
        assertThat(why(wanting(List.of(gone)), node)).isEqualTo(AFFINITY);
        assertThat(why(wanting(List.of(gone, ssd)), node)).isEmpty();
        assertThat(why(wanting(List.of(name)), node)).isEmpty();
        assertThat(why(wanting(List.of(name)), SchedulingObjects.node("n2"))).isEqualTo(AFFINITY);
        assertThat(why(wanting(List.of()), node)).isEqualTo(AFFINITY);
    }

    @Test
    void theNodeSelectorAndTheAffinityHaveToMatchTogether() {
        Pod pod = wanting(List.of(term("matchExpressions", "disk", "Exists")));
        Pod both = pod.withSpec(pod.spec().withNodeSelector(Map.of("zone", "a")));
        Node node = SchedulingObjects.labelled(SchedulingObjects.node("n1"), "disk", "ssd");
        assertThat(why(both, node)).isEqualTo(AFFINITY);
        assertThat(why(both, SchedulingObjects.labelled(node, "zone", "a"))).isEmpty();
    }

    @Test
    void aPodWithGatesWaitsUntilTheLastIsGone() {
        SchedulingWorld world = new SchedulingWorld(7, () -> VolumeScheduling.scheduler(SchedulingOptions.DEFAULT));
        Pod pod = SchedulingObjects.pod("p");
        world.create(
                        SchedulingObjects.node("n1"),
                        pod.withSpec(
                                pod.spec().withSchedulingGates(List.of(new PodSchedulingGate("example.com/quota")))))
                .settle();
        assertThat(world.nodeOf("p")).isEmpty();
        assertThat(world.toldOf("p")).isEmpty();
        world.editPod("p", each -> each.withSpec(each.spec().withSchedulingGates(List.of())))
                .settle();
        assertThat(world.nodeOf("p")).isEqualTo("n1");
    }

    @Test
    void whatAPodWantsBesidesIsKeptWhenItGetsItsNode() {
        Document written = document(List.of(Map.of("matchFields", List.of())));
        Pod pod = Kinds.POD.read(written);
        Pod placed = pod.withSpec(pod.spec().withNodeName("n1"));
        DocumentEdit edit = DocumentEdit.between(Kinds.POD.write(pod), Kinds.POD.write(placed));
        assertThat(edit.applyTo(written)).isEqualTo(written.with("n1", "spec", "nodeName"));
    }
}
