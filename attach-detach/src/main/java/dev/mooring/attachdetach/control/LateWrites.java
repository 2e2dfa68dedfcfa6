// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Time;
import java.time.Duration;

/** How long a write whose answer was lost may still reach the store. */
final class LateWrites {
    private static final Duration LAST = Defaults.STORE_TIME_LIMIT.multipliedBy(4);

    private LateWrites() {}

    /** How long until it surely comes no more; zero if it does not. */
    static Duration left(long sinceNanos, Time now) {
        Duration left = LAST.minusNanos(now.monotonicNanos() - sinceNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
