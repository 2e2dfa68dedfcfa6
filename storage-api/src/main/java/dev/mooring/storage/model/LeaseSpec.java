// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Who holds a lease.
 *
 * @param holderIdentity who
 * @param leaseDurationSeconds for how many seconds after the last renewal
 * @param acquireTime since when
 * @param renewTime when it was last renewed
 * @param leaseTransitions how often it changed hands
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record LeaseSpec(
        String holderIdentity,
        Optional<Long> leaseDurationSeconds,
        @MicroTime Optional<Instant> acquireTime,
        @MicroTime Optional<Instant> renewTime,
        long leaseTransitions)
        implements LeaseSpecBuilder.With {
    /** Nothing set. */
    public static final LeaseSpec EMPTY = new LeaseSpec("", Optional.empty(), Optional.empty(), Optional.empty(), 0);

    private static final long USUAL_SECONDS = 15;

    /**
     * Whether it is held at a moment, as its last renewal and its duration say; 15 seconds if it has no duration. Whose clock is
     * ahead is not known, so a moment near the end proves nothing.
     */
    public boolean isHeldAt(Instant moment) {
        Duration lasts = Duration.ofSeconds(leaseDurationSeconds.orElse(USUAL_SECONDS));
        return !holderIdentity.isEmpty()
                && renewTime
                        .filter(renewed -> moment.isBefore(renewed.plus(lasts)))
                        .isPresent();
    }
}
