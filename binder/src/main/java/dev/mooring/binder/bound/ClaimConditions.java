// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.bound;

import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionBuilder;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.PersistentVolumeClaimStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Edits of a claim's conditions. A condition that says nothing new keeps its transition time, so that nothing is written. */
public final class ClaimConditions {
    private ClaimConditions() {}

    /** The same status with a condition that holds. */
    public static PersistentVolumeClaimStatus with(
            PersistentVolumeClaimStatus status, String type, String reason, String message, Instant now) {
        List<Condition> conditions = new ArrayList<>();
        Instant since = now;
        int at = -1;
        for (Condition condition : status.conditions()) {
            if (condition.type().equals(type)) {
                at = conditions.size();
                since = condition.status() == ConditionStatus.TRUE
                        ? condition.lastTransitionTime().orElse(now)
                        : now;
            }
            conditions.add(condition);
        }
        Condition wanted = ConditionBuilder.builder()
                .type(type)
                .status(ConditionStatus.TRUE)
                .reason(reason)
                .message(message)
                .lastTransitionTime(since)
                .build();
        if (at < 0) {
            conditions.add(wanted);
        } else {
            conditions.set(
                    at,
                    wanted.withLastProbeTime(conditions.get(at).lastProbeTime())
                            .withLastHeartbeatTime(conditions.get(at).lastHeartbeatTime()));
        }
        return status.withConditions(conditions);
    }

    /** The same status without some conditions. */
    public static PersistentVolumeClaimStatus without(PersistentVolumeClaimStatus status, Set<String> types) {
        return status.withConditions(status.conditions().stream()
                .filter(condition -> !types.contains(condition.type()))
                .toList());
    }

    /** Whether a condition holds. */
    public static boolean holds(PersistentVolumeClaimStatus status, String type) {
        return status.conditions().stream()
                .anyMatch(condition -> condition.type().equals(type) && condition.status() == ConditionStatus.TRUE);
    }
}
