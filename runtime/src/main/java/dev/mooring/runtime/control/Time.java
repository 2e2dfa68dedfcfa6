// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import java.time.Duration;
import java.time.Instant;
import org.apiguardian.api.API;

/**
 * A reading of both clocks.
 *
 * @param wall for what people and objects see; may jump
 * @param monotonicNanos for deadlines, back-off and leases; never goes back; its zero means nothing
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Time(Instant wall, long monotonicNanos) {
    /** The monotonic time that lies so far ahead; {@code Long.MAX_VALUE}, which never comes, if that is out of range. */
    public long monotonicNanosAfter(Duration duration) {
        try {
            return Math.addExact(monotonicNanos, duration.toNanos());
        } catch (ArithmeticException outOfRange) {
            return duration.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }
}
