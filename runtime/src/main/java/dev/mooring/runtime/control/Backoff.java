// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long one operation of one key has to wait after failures: 0.5 s, then random between that and three times the last wait, at
 * most two minutes (decorrelated jitter). Immutable.
 */
record Backoff(int failures, long waitNanos, long notBeforeNanos) {
    /** The longest wait that may be requested. It also keeps sums in range. */
    private static final Duration LONGEST_ASKED = Duration.ofDays(1);

    static final Backoff NONE = new Backoff(0, 0, Long.MIN_VALUE);

    boolean holdsAt(long nowNanos) {
        return failures > 0 && notBeforeNanos - nowNanos > 0;
    }

    /** A failure that says nothing about the next try, such as a first conflict: counted, not waited for. */
    Backoff atOnce(long nowNanos) {
        return new Backoff(failures + 1, 0, nowNanos);
    }

    Backoff after(long nowNanos, Duration atLeast, RandomGenerator random) {
        long first = Defaults.BACKOFF_FIRST.toNanos();
        long upper = Math.min(Defaults.BACKOFF_LONGEST.toNanos(), waitNanos * 3);
        long wait = upper <= first ? first : random.nextLong(first, upper + 1);
        Duration asked = atLeast.compareTo(LONGEST_ASKED) > 0 ? LONGEST_ASKED : atLeast;
        long chosen = Math.max(wait, asked.toNanos());
        return new Backoff(failures + 1, chosen, nowNanos + chosen);
    }
}
