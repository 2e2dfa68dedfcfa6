// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.runtime.control.Decision;
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
 * @param waitsSinceNanos monotonic time since which an answer is awaited; absent if none is
 */
record Retry(int failures, long notBeforeNanos, boolean counted, Optional<Long> waitsSinceNanos) {
    static final Retry NONE = new Retry(0, 0, false, Optional.empty());

    /** Who waits longer for an agent is told so. */
    private static final Duration USUAL_ANSWER = Duration.ofSeconds(30);

    Retry afterFailure(Time now) {
        Duration wait = Defaults.BACKOFF_FIRST.multipliedBy(1L << Math.min(failures, 8));
        Duration bounded = wait.compareTo(Defaults.BACKOFF_LONGEST) > 0 ? Defaults.BACKOFF_LONGEST : wait;
        return new Retry(failures + 1, now.monotonicNanosAfter(bounded), true, Optional.empty());
    }

    /** The agent is being asked again; what it answers then is news. */
    Retry asking() {
        return new Retry(failures, notBeforeNanos, false, Optional.empty());
    }

    /** How long still to wait; empty if the time has come. */
    Optional<Duration> remaining(Time now) {
        long nanos = notBeforeNanos - now.monotonicNanos();
        return failures == 0 || nanos <= 0 ? Optional.empty() : Optional.of(Duration.ofNanos(nanos));
    }

    /** The same while an answer is awaited. */
    Retry waiting(Time now) {
        return waitsSinceNanos.isPresent()
                ? this
                : new Retry(failures, notBeforeNanos, counted, Optional.of(now.monotonicNanos()));
    }

    /** Whether people shall be told of a first answer that takes long. An agent that has failed before is there, and they know why. */
    boolean isOverdue(Time now) {
        return failures == 0 && waited(now).compareTo(USUAL_ANSWER) >= 0;
    }

    /** The decision, made again when the answer is overdue. */
    Decision untilOverdue(Decision decision, Time now) {
        return failures == 0 && waitsSinceNanos.isPresent()
                ? decision.wakeAfter(USUAL_ANSWER.minus(waited(now)))
                : decision;
    }

    private Duration waited(Time now) {
        return Duration.ofNanos(now.monotonicNanos() - waitsSinceNanos.orElse(now.monotonicNanos()));
    }
}
