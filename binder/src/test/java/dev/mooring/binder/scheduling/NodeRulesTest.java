// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.DocumentEdit;
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
        Node node = Things.node("n1");
        return node.withSpec(node.spec().withTaints(List.of(new Taint("k", "v", effect, Optional.empty()))));
    }

    private static Pod tolerating(String key, String operator, String value, String effect) {
        Pod pod = Things.pod("p");
        return pod.withSpec(
                pod.spec().withTolerations(List.of(new Toleration(key, operator, value, effect, Optional.empty()))));
    }

    private static String why(Pod pod, Node node) {
        return NodeRules.check(pod, node).map(Rejection::reason).orElse("");
    }

    @Test
    void aTaintKeepsOffWhoDoesNotTolerateIt() {
        String untolerated = "node(s) had untolerated taint {k: v}";
        assertThat(why(Things.pod("p"), tainted("NoSchedule"))).isEqualTo(untolerated);
        assertThat(why(Things.pod("p"), tainted("NoExecute"))).isEqualTo(untolerated);
        assertThat(why(Things.pod("p"), tainted("PreferNoSchedule"))).isEmpty();
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
        Node node = Things.node("n1");
        Node cordoned = node.withSpec(node.spec().withUnschedulable(true));
        assertThat(why(Things.pod("p"), cordoned)).isEqualTo("node(s) were unschedulable");
        assertThat(why(tolerating("node.kubernetes.io/unschedulable", "Exists", "", "NoSchedule"), cordoned))
                .isEmpty();
    }

    private static Document document(String terms) {
        return KubernetesJson.standard()
                .read(
                        "{\"metadata\":{\"name\":\"p\",\"namespace\":\"default\"},\"spec\":{\"affinity\":{\"nodeAffinity\":"
                                + "{\"requiredDuringSchedulingIgnoredDuringExecution\":{\"nodeSelectorTerms\":[" + terms
                                + "]},\"preferredDuringSchedulingIgnoredDuringExecution\":[]},\"podAffinity\":{}}}}",
                        "a pod");
    }

    private static Pod wanting(String terms) {
        return Kinds.POD.read(document(terms));
    }

    @Test
    void theRequiredNodeAffinityHasToMatch() {
        Node node = Things.labelled(Things.node("n1"), "disk", "ssd");
        String ssd = "{\"matchExpressions\":[{\"key\":\"disk\",\"operator\":\"In\",\"values\":[\"ssd\"]}]}";
        String gone = "{\"matchExpressions\":[{\"key\":\"disk\",\"operator\":\"DoesNotExist\"}]}";
        String name = "{\"matchFields\":[{\"key\":\"metadata.name\",\"operator\":\"In\",\"values\":[\"n1\"]}]}";
        assertThat(why(wanting(ssd), node)).isEmpty();
        assertThat(why(wanting(gone), node)).isEqualTo(AFFINITY);
        assertThat(why(wanting(gone + "," + ssd), node)).isEmpty();
        assertThat(why(wanting(name), node)).isEmpty();
        assertThat(why(wanting(name), Things.node("n2"))).isEqualTo(AFFINITY);
        assertThat(why(wanting(""), node)).isEqualTo(AFFINITY);
    }

    @Test
    void theNodeSelectorAndTheAffinityHaveToMatchTogether() {
        Pod pod = wanting("{\"matchExpressions\":[{\"key\":\"disk\",\"operator\":\"Exists\"}]}");
        Pod both = pod.withSpec(pod.spec().withNodeSelector(Map.of("zone", "a")));
        Node node = Things.labelled(Things.node("n1"), "disk", "ssd");
        assertThat(why(both, node)).isEqualTo(AFFINITY);
        assertThat(why(both, Things.labelled(node, "zone", "a"))).isEmpty();
    }

    @Test
    void aPodWithGatesWaitsUntilTheLastIsGone() {
        World world = new World(7, () -> VolumeScheduling.scheduler(SchedulingOptions.DEFAULT));
        Pod pod = Things.pod("p");
        world.create(
                        Things.node("n1"),
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
        Document written = document("{\"matchFields\":[]}");
        Pod pod = Kinds.POD.read(written);
        Pod placed = pod.withSpec(pod.spec().withNodeName("n1"));
        DocumentEdit edit = DocumentEdit.between(Kinds.POD.write(pod), Kinds.POD.write(placed));
        assertThat(edit.applyTo(written)).isEqualTo(written.with("n1", "spec", "nodeName"));
    }
}
