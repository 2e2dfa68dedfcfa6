// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.kubernetes.KubernetesOptions.RequestLimit;
import dev.mooring.runtime.control.TimeSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets requests pass as a limit says, reads and writes each by themselves; without a limit, at once. Thread-safe. */
final class Throttle {
    private final Optional<RequestLimit> limit;
    private final TimeSource time = TimeSource.system();
    private final CountDownLatch never = new CountDownLatch(1);
    private final Bucket reads = new Bucket();
    private final Bucket writes = new Bucket();

    Throttle(Optional<RequestLimit> limit) {
        this.limit = limit;
    }

    /** Waits for the request's turn. */
    void pass(boolean write) throws InterruptedException {
        if (limit.isPresent()) {
            long wait = (write ? writes : reads)
                    .take(limit.orElseThrow(), time.now().monotonicNanos());
            if (wait > 0 && never.await(wait, TimeUnit.NANOSECONDS)) {
                throw new IllegalStateException("the latch has no other owner");
            }
        }
    }

    /** Tokens that come at a steady rate; each request takes the next one, and waits until it has come. */
    static final class Bucket {
        private long next;
        private boolean used;

        /** Takes a token; the answer is how long it takes to come, in nanoseconds. */
        synchronized long take(RequestLimit limit, long now) {
            long interval = (long) (1e9 / limit.perSecond());
            long earliest = now - (limit.burst() - 1) * interval;
            next = !used || next - earliest < 0 ? earliest : next;
            used = true;
            long mine = next;
            next += interval;
            return Math.max(0, mine - now);
        }
    }
}
