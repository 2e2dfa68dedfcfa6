// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How long a pod waits for what others have to do before people are told what it waits for: as long as a kubelet waits for a pod's
 * volumes (semantics/attach-and-mount §3.1). Nobody is told of what is done in time.
 */
final class Patience {
    static final Duration LONGEST = Duration.ofMinutes(2).plusSeconds(3);

    private Patience() {}

    /** How much longer nobody has to be told; zero if it is time, absent if nobody knows since when the pod waits. */
    static Optional<Duration> left(Pod pod, Instant now) {
        return since(pod).map(since -> {
            Duration left = Duration.between(now, since.plus(LONGEST));
            if (left.isNegative()) {
                return Duration.ZERO;
            }
            // The clock may have gone back since.
            return left.compareTo(LONGEST) > 0 ? LONGEST : left;
        });
    }

    private static Optional<Instant> since(Pod pod) {
        return pod.status().conditions().stream()
                .filter(condition ->
                        condition.type().equals("PodScheduled") && condition.status() == ConditionStatus.TRUE)
                .findFirst()
                .flatMap(Condition::lastTransitionTime)
                .or(() -> pod.metadata().creationTimestamp());
    }
}
