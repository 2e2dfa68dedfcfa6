// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.virtual;

import dev.mooring.runtime.term.Tenure;
import java.time.Duration;

/**
 * What a lease tells of one life of a process. Its renewals succeed as long as it is not stopped; then no longer, and the lease runs out
 * by the rules and times of production. Confined to the world's thread.
 */
final class SimulatedTenure implements Tenure {
    /** How long after its last renewal a leader takes itself for one. */
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    /** How long after its last renewal another takes over. */
    static final Duration LEASE = Duration.ofSeconds(15);

    private static final long RENEWED = -1;

    private final long number;
    private final VirtualClock clock;
    private long lastRenewal = RENEWED;
    private boolean over;

    SimulatedTenure(long number, VirtualClock clock) {
        this.number = number;
        this.clock = clock;
    }

    @Override
    public long number() {
        return number;
    }

    @Override
    public boolean isHeld() {
        over |= lastRenewal != RENEWED && clock.nanos() - lastRenewal >= DEADLINE.toNanos();
        return !over;
    }

    /** Whether the lease has run out, so that another takes over. */
    boolean isVacant() {
        return lastRenewal != RENEWED && clock.nanos() - lastRenewal >= LEASE.toNanos();
    }

    /** The process is stopped, just after a renewal. */
    void renewsNoMore() {
        lastRenewal = clock.nanos();
    }

    /** The process goes on; of no use if it comes too late. */
    void renewsAgain() {
        if (isHeld()) {
            lastRenewal = RENEWED;
        }
    }
}
