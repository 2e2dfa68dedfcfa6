// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.duty;

import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionBuilder;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.Taint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What is shown of a node that is silent, in the words of Kubernetes' node life cycle controller. Pure functions. */
final class NodeConditions {
    private static final String READY = "Ready";
    private static final String SILENT_REASON = "NodeStatusUnknown";
    private static final String NEVER_REASON = "NodeStatusNeverUpdated";
    private static final Set<String> REPORTED = Set.of(READY, "MemoryPressure", "DiskPressure", "PIDPressure");
    private static final String UNREACHABLE = "node.kubernetes.io/unreachable";
    private static final String NOT_READY = "node.kubernetes.io/not-ready";
    private static final List<String> EFFECTS = List.of("NoSchedule", "NoExecute");

    private NodeConditions() {}

    static Optional<Condition> ready(List<Condition> conditions) {
        return conditions.stream()
                .filter(condition -> condition.type().equals(READY))
                .findFirst();
    }

    /** When the agent last reported; what stands there because it never did is no report. */
    static Optional<Instant> heartbeat(List<Condition> conditions) {
        return ready(conditions)
                .filter(condition -> !condition.reason().equals(NEVER_REASON))
                .flatMap(Condition::lastHeartbeatTime);
    }

    /** What the agent used to report is not known any more. */
    static List<Condition> silent(List<Condition> conditions, Optional<Instant> created, Instant now) {
        List<Condition> changed = new ArrayList<>();
        for (Condition condition : conditions) {
            boolean known = REPORTED.contains(condition.type()) && condition.status() != ConditionStatus.UNKNOWN;
            changed.add(
                    known
                            ? condition
                                    .withStatus(ConditionStatus.UNKNOWN)
                                    .withReason(SILENT_REASON)
                                    .withMessage("Kubelet stopped posting node status.")
                                    .withLastTransitionTime(Optional.of(now))
                            : condition);
        }
        if (ready(conditions).isEmpty()) {
            changed.add(ConditionBuilder.builder()
                    .type(READY)
                    .status(ConditionStatus.UNKNOWN)
                    .reason(NEVER_REASON)
                    .message("Kubelet never posted node status.")
                    .lastTransitionTime(now)
                    .lastHeartbeatTime(created)
                    .build());
        }
        return changed;
    }

    /** The node is Ready again if it is Unknown for its silence only; its other conditions are for its agent to report. */
    static List<Condition> backAgain(List<Condition> conditions, Instant now) {
        return conditions.stream()
                .map(condition -> condition.type().equals(READY)
                                && condition.status() == ConditionStatus.UNKNOWN
                                && (condition.reason().equals(SILENT_REASON)
                                        || condition.reason().equals(NEVER_REASON))
                        ? condition
                                .withStatus(ConditionStatus.TRUE)
                                .withReason("NodeLeaseRenewed")
                                .withMessage("The node renews its lease again.")
                                .withLastTransitionTime(Optional.of(now))
                        : condition)
                .toList();
    }

    /** The taints that go with the Ready condition; the others stay as they are. */
    static List<Taint> taints(List<Taint> taints, List<Condition> conditions, Instant now) {
        ConditionStatus status = ready(conditions).map(Condition::status).orElse(ConditionStatus.TRUE);
        String wanted = switch (status) {
            case TRUE -> "";
            case FALSE -> NOT_READY;
            case UNKNOWN -> UNREACHABLE;
        };
        List<Taint> changed = new ArrayList<>(taints);
        changed.removeIf(taint -> isOurs(taint) && !taint.key().equals(wanted));
        if (!wanted.isEmpty()) {
            for (String effect : EFFECTS) {
                boolean has = changed.stream()
                        .anyMatch(taint ->
                                taint.key().equals(wanted) && taint.effect().equals(effect));
                if (!has) {
                    changed.add(new Taint(wanted, "", effect, Optional.of(now)));
                }
            }
        }
        return changed;
    }

    private static boolean isOurs(Taint taint) {
        return EFFECTS.contains(taint.effect())
                && (taint.key().equals(UNREACHABLE) || taint.key().equals(NOT_READY));
    }
}
