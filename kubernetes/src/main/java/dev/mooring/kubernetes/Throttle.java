// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.kubernetes.KubernetesOptions.RequestLimit;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Lets requests pass as a limit says, reads and writes each by themselves; without a limit, at once. Thread-safe. */
final class Throttle {
    private final Optional<RequestLimit> limit;
    private final Bucket reads;
    private final Bucket writes;

    Throttle(Optional<RequestLimit> limit) {
        this.limit = limit;
        this.reads = new Bucket();
        this.writes = new Bucket();
    }

    /** Waits for the request's turn. */
    void pass(boolean write) throws InterruptedException {
        if (limit.isPresent()) {
            long wait = (write ? writes : reads).take(limit.orElseThrow(), System.nanoTime());
            if (wait > 0) {
                TimeUnit.NANOSECONDS.sleep(wait);
            }
        }
    }

    /** Tokens that come at a steady rate; each request takes the next one, and waits until it has come. */
    static final class Bucket {
        private long next = Long.MIN_VALUE;

        /** Takes a token; the answer is how long it takes to come, in nanoseconds. */
        synchronized long take(RequestLimit limit, long now) {
            long interval = (long) (1e9 / limit.perSecond());
            long earliest = now - (limit.burst() - 1) * interval;
            next = next == Long.MIN_VALUE || next < earliest ? earliest : next;
            long mine = next;
            next += interval;
            return Math.max(0, mine - now);
        }
    }
}
