// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.operations;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Connects a thread that works until it is stopped with the thread that stops it and waits. A signal that was given stays given.
 * Thread-safe.
 */
public final class StopSignal {
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);

    /**
     * Waits, for the working thread.
     *
     * @param duration how long, unless it is stopped before
     * @return whether to go on; no once it was stopped, or if it is interrupted, which stays noted
     */
    public boolean pause(Duration duration) {
        return !isIn(asked, duration);
    }

    /** Whether the working thread was asked to stop. Never waits. */
    public boolean isAsked() {
        return asked.getCount() == 0;
    }

    /** The working thread has nothing to do any more. */
    public void stopped() {
        stopped.countDown();
    }

    /**
     * Tells the working thread to stop and waits for it.
     *
     * @param patience how long at most
     * @return whether it has stopped; yes if the caller is interrupted, which stays noted: it gave up by itself
     */
    public boolean stop(Duration patience) {
        asked.countDown();
        return isIn(stopped, patience);
    }

    private static boolean isIn(CountDownLatch latch, Duration patience) {
        try {
            return latch.await(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
