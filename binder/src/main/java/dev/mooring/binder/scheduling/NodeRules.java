// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.storage.model.Affinity;
import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.NodeAffinity;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.Taint;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whether a node takes a pod at all: cordons, taints, readiness, the pod's nodeSelector and its required node affinity. Pure. */
final class NodeRules {
    private static final List<String> KEEPING_OFF = List.of("NoSchedule", "NoExecute");
    private static final Taint UNSCHEDULABLE =
            new Taint("node.kubernetes.io/unschedulable", "", "NoSchedule", Optional.empty());

    private NodeRules() {}

    /** Why not, in Kubernetes' words; empty if it does. */
    static Optional<Rejection> check(Pod pod, Node node) {
        boolean cordoned = node.spec().unschedulable() && !tolerates(pod, UNSCHEDULABLE);
        if (cordoned || node.metadata().isDeleting()) {
            return Optional.of(Rejection.unresolvable("NodeUnschedulable", "node(s) were unschedulable"));
        }
        Optional<Taint> taint = node.spec().taints().stream()
                .filter(t -> KEEPING_OFF.contains(t.effect()) && !tolerates(pod, t))
                .findFirst()
                .or(() -> unready(node).filter(t -> !tolerates(pod, t)));
        if (taint.isPresent()) {
            return Optional.of(Rejection.unresolvable(
                    "TaintToleration", "node(s) had untolerated taint {" + shown(taint.get()) + "}"));
        }
        return isWanted(pod, node)
                ? Optional.empty()
                : Optional.of(
                        Rejection.unresolvable("NodeAffinity", "node(s) didn't match Pod's node affinity/selector"));
    }

    private static boolean tolerates(Pod pod, Taint taint) {
        return pod.spec().tolerations().stream().anyMatch(each -> each.tolerates(taint));
    }

    private static boolean isWanted(Pod pod, Node node) {
        Map<String, String> labels = node.metadata().labels();
        boolean selected = pod.spec().nodeSelector().entrySet().stream()
                .allMatch(label -> label.getValue().equals(labels.get(label.getKey())));
        return selected
                && pod.spec()
                        .affinity()
                        .flatMap(Affinity::nodeAffinity)
                        .flatMap(NodeAffinity::requiredDuringSchedulingIgnoredDuringExecution)
                        .map(required -> required.matches(
                                labels, Map.of("metadata.name", node.metadata().name())))
                        .orElse(true);
    }

    private static String shown(Taint taint) {
        return taint.key() + ": " + taint.value();
    }

    /** The taint that Kubernetes' node life-cycle controller would have set. */
    private static Optional<Taint> unready(Node node) {
        return node.readyCondition()
                .filter(condition -> condition.status() != ConditionStatus.TRUE)
                .map(NodeRules::taintOf);
    }

    private static Taint taintOf(Condition condition) {
        String key = condition.status() == ConditionStatus.UNKNOWN ? "unreachable" : "not-ready";
        return new Taint("node.kubernetes.io/" + key, "", "NoSchedule", Optional.empty());
    }

    /** Whether two versions of a node take the same pods and reach the same volumes. */
    static boolean sameForScheduling(Node before, Node after) {
        return before.metadata().labels().equals(after.metadata().labels())
                && before.metadata().isDeleting() == after.metadata().isDeleting()
                && before.spec().equals(after.spec())
                && unready(before).equals(unready(after));
    }
}
