// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.List;
import org.apiguardian.api.API;

/**
 * Where a pod stands.
 *
 * @param phase the phase
 * @param conditions facts about it
 * @param reason why, in one word
 * @param message for people
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PodStatus(PodPhase phase, List<Condition> conditions, String reason, String message) {
    /** Nothing set. */
    public static final PodStatus EMPTY = new PodStatus(PodPhase.PENDING, List.of(), "", "");

    /** Copies lists and maps. */
    public PodStatus {
        conditions = Copies.list(conditions);
    }

    /** The same with another phase. */
    public PodStatus withPhase(PodPhase newPhase) {
        return new PodStatus(newPhase, conditions, reason, message);
    }

    /** The same with another conditions. */
    public PodStatus withConditions(List<Condition> newConditions) {
        return new PodStatus(phase, newConditions, reason, message);
    }

    /** The same with another reason. */
    public PodStatus withReason(String newReason) {
        return new PodStatus(phase, conditions, newReason, message);
    }

    /** The same with another message. */
    public PodStatus withMessage(String newMessage) {
        return new PodStatus(phase, conditions, reason, newMessage);
    }
}
