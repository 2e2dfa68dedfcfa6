// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.time.Instant;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A named fact about an object.
 *
 * @param type what fact
 * @param status whether it holds
 * @param reason why, in one word
 * @param message for people
 * @param lastTransitionTime since when
 * @param lastProbeTime when it was last looked at
 * @param lastHeartbeatTime when it was last reported
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Condition(
        String type,
        ConditionStatus status,
        String reason,
        String message,
        Optional<Instant> lastTransitionTime,
        Optional<Instant> lastProbeTime,
        Optional<Instant> lastHeartbeatTime) {
    /** The same with another type. */
    public Condition withType(String newType) {
        return new Condition(newType, status, reason, message, lastTransitionTime, lastProbeTime, lastHeartbeatTime);
    }

    /** The same with another status. */
    public Condition withStatus(ConditionStatus newStatus) {
        return new Condition(type, newStatus, reason, message, lastTransitionTime, lastProbeTime, lastHeartbeatTime);
    }

    /** The same with another reason. */
    public Condition withReason(String newReason) {
        return new Condition(type, status, newReason, message, lastTransitionTime, lastProbeTime, lastHeartbeatTime);
    }

    /** The same with another message. */
    public Condition withMessage(String newMessage) {
        return new Condition(type, status, reason, newMessage, lastTransitionTime, lastProbeTime, lastHeartbeatTime);
    }

    /** The same with another lastTransitionTime. */
    public Condition withLastTransitionTime(Optional<Instant> newLastTransitionTime) {
        return new Condition(type, status, reason, message, newLastTransitionTime, lastProbeTime, lastHeartbeatTime);
    }

    /** The same with another lastProbeTime. */
    public Condition withLastProbeTime(Optional<Instant> newLastProbeTime) {
        return new Condition(type, status, reason, message, lastTransitionTime, newLastProbeTime, lastHeartbeatTime);
    }

    /** The same with another lastHeartbeatTime. */
    public Condition withLastHeartbeatTime(Optional<Instant> newLastHeartbeatTime) {
        return new Condition(type, status, reason, message, lastTransitionTime, lastProbeTime, newLastHeartbeatTime);
    }
}
