// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * What the small scheduler remembers about a pod.
 *
 * @param binding the bind under way; empty while the pod waits
 * @param told the last news about the pod, so that news are told on change only
 * @param cues what can help
 * @param failures how many binds failed in a row
 * @param notBeforeNanos monotonic time before which no new one begins
 */
record PodState(Optional<BindProgress> binding, String told, Set<QueueingHint> cues, int failures, long notBeforeNanos)
        implements KeyState {
    static final PodState NONE = new PodState(Optional.empty(), "", Set.of(), 0, 0);

    /** Kubernetes' podInitialBackoff and podMaxBackoff. */
    private static final Duration FIRST = Duration.ofSeconds(1);

    private static final Duration LONGEST = Duration.ofSeconds(10);

    PodState {
        cues = Set.copyOf(cues);
    }

    PodState binding(BindProgress progress, Set<QueueingHint> wakers) {
        return new PodState(Optional.of(progress), told, wakers, failures, 0);
    }

    PodState waiting(String news, Set<QueueingHint> wakers) {
        return new PodState(Optional.empty(), news, wakers, 0, 0);
    }

    PodState failed(String news, Time now) {
        long after = now.monotonicNanosAfter(pause());
        return new PodState(Optional.empty(), news, Set.of(), failures + 1, after);
    }

    /** How long to wait after one more failure. */
    Duration pause() {
        Duration pause = FIRST.multipliedBy(1L << Math.min(failures, 8));
        return pause.compareTo(LONGEST) > 0 ? LONGEST : pause;
    }

    /** How long still to wait; empty if the time has come. */
    Optional<Duration> remaining(Time now) {
        long nanos = notBeforeNanos - now.monotonicNanos();
        return failures == 0 || nanos <= 0 ? Optional.empty() : Optional.of(Duration.ofNanos(nanos));
    }
}
