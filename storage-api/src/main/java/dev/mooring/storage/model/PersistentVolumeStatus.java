// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
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
@WithBuilder
public record PersistentVolumeStatus(
        PersistentVolumePhase phase, String message, String reason, Optional<Instant> lastPhaseTransitionTime)
        implements PersistentVolumeStatusBuilder.With {
    /** Nothing set. */
    public static final PersistentVolumeStatus EMPTY =
            new PersistentVolumeStatus(PersistentVolumePhase.PENDING, "", "", Optional.empty());
}
