// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import io.grpc.Context;
import io.grpc.Deadline;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * How many rpcs may work at a time. The others wait, each as long as its caller does, since plugins whose back-end does not answer may keep
 * all that work. Calls about the driver itself need no slot, so that a driver that waits still answers them. Thread-safe.
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
     * @throws RpcFailure UNAVAILABLE if no slot is free in time, or if too many calls wait; the call has done nothing
     */
    void enter() throws RpcFailure {
        if (!acquired(0) && (free.getQueueLength() >= WAITING || !acquired(remainingNanos()))) {
            throw RpcFailure.unavailable(WORKING + " calls are under way, and this one was not begun; repeat it");
        }
    }

    private static long remainingNanos() {
        Deadline deadline = Context.current().getDeadline();
        return deadline == null ? UNLIMITED.toNanos() : deadline.timeRemaining(TimeUnit.NANOSECONDS);
    }

    /** In turn: one that comes later does not overtake those that wait. */
    private boolean acquired(long nanos) throws RpcFailure {
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
