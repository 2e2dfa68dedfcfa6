// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionBuilder;
import dev.mooring.storage.model.ConditionStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lists of conditions, one per type. */
final class Conditions {
    private Conditions() {}

    /** The status of a condition; empty if there is none of the type. */
    static Optional<ConditionStatus> statusOf(List<Condition> conditions, String type) {
        return conditions.stream()
                .filter(condition -> condition.type().equals(type))
                .findFirst()
                .map(Condition::status);
    }

    /** The same list with a condition; its transition time changes only with its status. */
    static List<Condition> with(
            List<Condition> conditions,
            String type,
            ConditionStatus status,
            String reason,
            String message,
            Instant now) {
        List<Condition> changed = new ArrayList<>(conditions);
        for (int i = 0; i < changed.size(); i++) {
            Condition old = changed.get(i);
            if (old.type().equals(type)) {
                Optional<Instant> since = old.status() == status ? old.lastTransitionTime() : Optional.of(now);
                changed.set(
                        i,
                        ConditionBuilder.builder()
                                .type(type)
                                .status(status)
                                .reason(reason)
                                .message(message)
                                .lastTransitionTime(since)
                                .lastProbeTime(old.lastProbeTime())
                                .lastHeartbeatTime(old.lastHeartbeatTime())
                                .build());
                return changed;
            }
        }
        changed.add(ConditionBuilder.builder()
                .type(type)
                .status(status)
                .reason(reason)
                .message(message)
                .lastTransitionTime(now)
                .build());
        return changed;
    }
}
