// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.Taint;
import java.util.List;
import java.util.Optional;

/**
 * Whether a node takes a pod at all, as far as it is modelled: readiness, cordons, taints and the pod's nodeSelector. Tolerations are not
 * modelled, so every taint with the effect NoSchedule or NoExecute keeps pods off. Pure.
 */
final class NodeRules {
    private static final List<String> KEEPING_OFF = List.of("NoSchedule", "NoExecute");

    private NodeRules() {}

    /** Why not, in Kubernetes' words; empty if it does. */
    static Optional<Rejection> check(Pod pod, Node node) {
        if (node.spec().unschedulable() || node.metadata().isDeleting()) {
            return Optional.of(Rejection.unresolvable("NodeUnschedulable", "node(s) were unschedulable"));
        }
        Optional<String> taint = node.spec().taints().stream()
                .filter(t -> KEEPING_OFF.contains(t.effect()))
                .findFirst()
                .map(NodeRules::shown)
                .or(() -> unready(node));
        if (taint.isPresent()) {
            return Optional.of(
                    Rejection.unresolvable("TaintToleration", "node(s) had untolerated taint {" + taint.get() + "}"));
        }
        boolean selected = pod.spec().nodeSelector().entrySet().stream()
                .allMatch(label ->
                        label.getValue().equals(node.metadata().labels().get(label.getKey())));
        return selected
                ? Optional.empty()
                : Optional.of(
                        Rejection.unresolvable("NodeAffinity", "node(s) didn't match Pod's node affinity/selector"));
    }

    private static String shown(Taint taint) {
        return taint.key() + ": " + taint.value();
    }

    /** The taint that Kubernetes' node life-cycle controller would have set. */
    private static Optional<String> unready(Node node) {
        return node.status().conditions().stream()
                .filter(condition -> condition.type().equals("Ready") && condition.status() != ConditionStatus.TRUE)
                .findFirst()
                .map(NodeRules::taintOf);
    }

    private static String taintOf(Condition condition) {
        return condition.status() == ConditionStatus.UNKNOWN
                ? "node.kubernetes.io/unreachable: "
                : "node.kubernetes.io/not-ready: ";
    }

    /** Whether two versions of a node take the same pods and reach the same volumes. */
    static boolean sameForScheduling(Node before, Node after) {
        return before.metadata().labels().equals(after.metadata().labels())
                && before.metadata().isDeleting() == after.metadata().isDeleting()
                && before.spec().equals(after.spec())
                && unready(before).equals(unready(after));
    }
}
