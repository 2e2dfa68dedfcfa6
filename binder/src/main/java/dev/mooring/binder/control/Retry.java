// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Time;
import java.time.Duration;
import java.util.Optional;

/**
 * When to ask a node's agent again after it reported a failure. The loop's own back-off covers only what this process does itself.
 *
 * @param failures how many there were
 * @param notBeforeNanos monotonic time before which the agent is not asked again
 * @param counted whether the answer that is there now is among the failures
 */
record Retry(int failures, long notBeforeNanos, boolean counted) {
    static final Retry NONE = new Retry(0, 0, false);

    Retry afterFailure(Time now) {
        Duration wait = Defaults.BACKOFF_FIRST.multipliedBy(1L << Math.min(failures, 8));
        Duration bounded = wait.compareTo(Defaults.BACKOFF_LONGEST) > 0 ? Defaults.BACKOFF_LONGEST : wait;
        return new Retry(failures + 1, now.monotonicNanosAfter(bounded), true);
    }

    /** The agent is being asked again; its next answer causes an event. */
    Retry asking() {
        return new Retry(failures, notBeforeNanos, false);
    }

    /** How long still to wait; empty if the time has come. */
    Optional<Duration> remaining(Time now) {
        long nanos = notBeforeNanos - now.monotonicNanos();
        return failures == 0 || nanos <= 0 ? Optional.empty() : Optional.of(Duration.ofNanos(nanos));
    }
}
