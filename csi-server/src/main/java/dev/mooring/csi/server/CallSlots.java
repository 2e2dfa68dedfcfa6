// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import io.grpc.Context;
import io.grpc.Deadline;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * How many rpcs may work at a time. The others wait, each as long as its caller does, since plugins whose back-end does not answer may keep
 * all that work. Who the driver is, is told without: a driver that waits is alive. Thread-safe.
 */
final class CallSlots {
    /** More than a kubelet has pods, and than all side-cars have workers. */
    static final int WORKING = 512;

    private static final int WAITING = 512;
    /** As long as Kubernetes waits. */
    private static final Duration UNLIMITED = Duration.ofMinutes(2);

    private final Semaphore free = new Semaphore(WORKING, true);

    /**
     * Waits for a slot, which the caller has to give back by {@link #leave}.
     *
     * @throws RpcFailure UNAVAILABLE if there is none in time, or if too many wait; nothing was done then
     */
    void enter() throws RpcFailure {
        if (!free.tryAcquire() && (free.getQueueLength() >= WAITING || !acquired())) {
            throw RpcFailure.unavailable(WORKING + " calls are under way, and this one was not begun; repeat it");
        }
    }

    private boolean acquired() throws RpcFailure {
        Deadline deadline = Context.current().getDeadline();
        long nanos = deadline == null ? UNLIMITED.toNanos() : deadline.timeRemaining(TimeUnit.NANOSECONDS);
        try {
            return free.tryAcquire(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw RpcFailure.unavailable("the driver ends, and this call was not begun; repeat it");
        }
    }

    void leave() {
        free.release();
    }
}
