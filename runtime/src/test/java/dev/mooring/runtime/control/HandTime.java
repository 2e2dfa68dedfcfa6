// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import java.time.Duration;
import java.time.Instant;

/** Time that goes on when a test says so. */
public final class HandTime implements TimeSource {
    private volatile Time now = new Time(Instant.parse("2026-01-01T00:00:00Z"), 1_000);

    /** Time that stands. */
    public HandTime() {}

    @Override
    public Time now() {
        return now;
    }

    /** Goes on. */
    public void pass(Duration duration) {
        now = new Time(now.wall().plus(duration), now.monotonicNanos() + duration.toNanos());
    }

    /** Goes on to a monotonic time. */
    public void passTo(long nanos) {
        pass(Duration.ofNanos(nanos - now.monotonicNanos()));
    }
}
