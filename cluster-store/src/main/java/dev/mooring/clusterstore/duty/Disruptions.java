// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.duty;

import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionBuilder;
import dev.mooring.storage.model.ConditionStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The condition of a pod that says why the cluster, and not its user, ends it. */
final class Disruptions {
    private static final String TYPE = "DisruptionTarget";

    private Disruptions() {}

    /** The conditions with this reason as the only one. */
    static List<Condition> with(List<Condition> conditions, String reason, String message, Instant now) {
        List<Condition> changed = new ArrayList<>(conditions);
        changed.removeIf(each -> each.type().equals(TYPE));
        changed.add(ConditionBuilder.builder()
                .type(TYPE)
                .status(ConditionStatus.TRUE)
                .reason(reason)
                .message(message)
                .lastTransitionTime(now)
                .build());
        return List.copyOf(changed);
    }

    /** Whether the reason is shown. */
    static boolean isShown(List<Condition> conditions, String reason) {
        return conditions.stream()
                .anyMatch(each -> each.type().equals(TYPE)
                        && each.status() == ConditionStatus.TRUE
                        && each.reason().equals(reason));
    }
}
