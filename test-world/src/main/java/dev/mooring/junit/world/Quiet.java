// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit.world;

import dev.mooring.clusterstore.WriteRecord;
import dev.mooring.runtime.control.TimeSource;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Finds out when no write comes any more. What a client is about to do cannot be seen, so a cluster is quiet when for a while nothing was
 * written. Thread-safe.
 */
final class Quiet {
    /** How long nothing is written in a cluster that is settled. */
    static final Duration SETTLED = Duration.ofMillis(100);

    /** How long clients have to react between two steps of an advance. */
    static final Duration BETWEEN_STEPS = Duration.ofMillis(15);

    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final Duration LONG_CALL = Duration.ofSeconds(1);

    private final AtomicLong writes = new AtomicLong();
    private final TimeSource wall;
    private volatile long lastNanos;
    private volatile @Nullable WriteRecord last;

    /** Begins to listen. */
    Quiet(TimeSource wall) {
        this.wall = wall;
        this.lastNanos = nanos();
    }

    private long nanos() {
        return wall.now().monotonicNanos();
    }

    /** Something was written. */
    void written(WriteRecord write) {
        last = write;
        lastNanos = nanos();
        writes.incrementAndGet();
    }

    /** How often something was written. */
    long writes() {
        return writes.get();
    }

    /**
     * Waits until nothing was written for so long.
     *
     * @param work lets the cluster work, before every look
     * @throws IllegalStateException if that does not come to an end; the message says who writes what
     */
    void await(Duration length, Runnable work) {
        long start = nanos();
        while (true) {
            long before = nanos();
            work.run();
            long now = nanos();
            if (now - before > LONG_CALL.toNanos()) {
                start += now - before; // a real call has a limit of its own
            }
            long left = length.toNanos() - (now - lastNanos);
            if (left <= 0) {
                return;
            }
            if (now - start > LONGEST.toNanos()) {
                throw new IllegalStateException("the cluster does not settle: after " + LONGEST.toSeconds()
                        + " s there are still writes" + lastWrite());
            }
            sleep(Duration.ofNanos(left));
        }
    }

    /** Waits. */
    static void sleep(Duration length) {
        try {
            TimeUnit.NANOSECONDS.sleep(length.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the cluster settled", e);
        }
    }

    private String lastWrite() {
        WriteRecord write = last;
        return write == null
                ? ""
                : "; the last one: " + write.verb() + " of " + write.kind() + " " + write.namespace() + "/"
                        + write.name() + " by " + (write.client().isEmpty() ? "an unnamed client" : write.client());
    }
}
