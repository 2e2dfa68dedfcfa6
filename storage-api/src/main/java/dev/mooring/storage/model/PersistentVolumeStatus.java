// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.time.Instant;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Where a volume stands.
 *
 * @param phase the phase
 * @param message why it failed, for people
 * @param reason why it failed, in one word
 * @param lastPhaseTransitionTime when the phase last changed
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PersistentVolumeStatus(
        PersistentVolumePhase phase, String message, String reason, Optional<Instant> lastPhaseTransitionTime) {
    /** Nothing set. */
    public static final PersistentVolumeStatus EMPTY =
            new PersistentVolumeStatus(PersistentVolumePhase.PENDING, "", "", Optional.empty());

    /** The same with another phase. */
    public PersistentVolumeStatus withPhase(PersistentVolumePhase newPhase) {
        return new PersistentVolumeStatus(newPhase, message, reason, lastPhaseTransitionTime);
    }

    /** The same with another message. */
    public PersistentVolumeStatus withMessage(String newMessage) {
        return new PersistentVolumeStatus(phase, newMessage, reason, lastPhaseTransitionTime);
    }

    /** The same with another reason. */
    public PersistentVolumeStatus withReason(String newReason) {
        return new PersistentVolumeStatus(phase, message, newReason, lastPhaseTransitionTime);
    }

    /** The same with another lastPhaseTransitionTime. */
    public PersistentVolumeStatus withLastPhaseTransitionTime(Optional<Instant> newLastPhaseTransitionTime) {
        return new PersistentVolumeStatus(phase, message, reason, newLastPhaseTransitionTime);
    }
}
