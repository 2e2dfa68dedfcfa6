// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.runtime.term.Tenure;
import java.time.Duration;
import org.apiguardian.api.API;

/**
 * One time in office: from winning the lease until it was not renewed in time. Once over it is over for good; who is elected again has
 * a new term. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Term implements Tenure {
    private final TimeSource time;
    private final Duration deadline;
    private final long number;
    private Time renewed; // guarded by this, as is the next
    private boolean over;

    Term(TimeSource time, Duration deadline, long number, Time begun) {
        this.time = time;
        this.deadline = deadline;
        this.number = number;
        this.renewed = begun;
    }

    /** The lease's {@code leaseTransitions}: grows with every change of the leader. */
    @Override
    public long number() {
        return number;
    }

    /**
     * Whether the lease is surely still held: less time than the renewal deadline has passed since the last successful renewal was
     * <em>sent</em>, by the monotonic clock and by the wall clock (the former stands still while a machine is suspended, the latter may
     * be set). Once it was not, never again.
     */
    @Override
    public synchronized boolean isHeld() {
        Time now = time.now();
        boolean inTime = now.monotonicNanos() - renewed.monotonicNanos() < deadline.toNanos()
                && Duration.between(renewed.wall(), now.wall()).compareTo(deadline) < 0;
        over |= !inTime;
        return !over;
    }

    /** A renewal that was sent then has succeeded. Comes too late if the term was found to be over in between. */
    synchronized void renewed(Time sent) {
        if (isHeld()) {
            renewed = sent;
        }
    }

    synchronized void end() {
        over = true;
    }
}
