// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long who follows a kind waits before it asks again, as Kubernetes' reflector: 800 ms, doubled with each failure up to 30 s, and up to as
 * much again at random. Only a watch that delivers something ends the back-off: a list that succeeds says nothing about the watch that
 * follows it. Confined to the decider.
 */
final class WatchBackoff {
    static final Duration FIRST = Duration.ofMillis(800);
    static final Duration LONGEST = Duration.ofSeconds(30);

    private final RandomGenerator random;
    private Duration next = FIRST;

    WatchBackoff(RandomGenerator random) {
        this.random = random;
    }

    /** A watch has delivered something. */
    void delivered() {
        next = FIRST;
    }

    /**
     * Something failed.
     *
     * @param asked the least wait that the store asks for
     * @return how long to wait
     */
    Duration failed(Duration asked) {
        Duration jittered = next.plusNanos((long) (random.nextDouble() * next.toNanos()));
        Duration doubled = next.multipliedBy(2);
        next = doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
        return jittered.compareTo(asked) > 0 ? jittered : asked;
    }
}
