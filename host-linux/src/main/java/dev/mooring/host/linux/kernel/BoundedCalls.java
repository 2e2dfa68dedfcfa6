// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.kernel;

import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * System calls that may wait for a device or a server, for which the caller waits only until its deadline. Such a call cannot be ended:
 * its thread, a daemon, stays until the kernel answers. So that threads do not pile up behind something that is dead, only one call for one
 * thing is out at a time, and only a few in all (semantics/plugins §1.1 P3). Thread-safe.
 */
public final class BoundedCalls {
    /** What a call uses and has to outlive it. */
    @FunctionalInterface
    public interface Owned {
        void close();
    }

    /** More than this many calls that do not come back are a broken machine: no further one is started. */
    private static final int MOST = 32;

    /** A call that has not come back in that time may never do so. Two pods that end at once are not to hinder each other. */
    private static final long PATIENCE_MILLIS = 5000;

    private final Map<String, FutureTask<?>> out = new ConcurrentHashMap<>();
    private final ThreadFactory threads;

    public BoundedCalls() {
        this(body -> {
            Thread thread = new Thread(body, "mooring-kernel");
            thread.setDaemon(true);
            return thread;
        });
    }

    BoundedCalls(ThreadFactory threads) {
        this.threads = threads;
    }

    /**
     * Makes a call in a thread of its own.
     *
     * @param thing what the call may have to wait for, such as a device
     * @param what the call in words
     * @param body the call; what it opens it closes itself
     * @return its answer; deferred if an earlier call for the thing has not come back or the machine has no thread left, uncertain if this
     *     one did not in time
     */
    public <T> Outcome<T> call(OperationContext context, String thing, String what, Guarded.Body<T> body) {
        return call(context, thing, what, () -> {}, body);
    }

    /**
     * The same with something that was opened before.
     *
     * @param owned released when the call has come back, or at once if it is not made
     */
    public <T> Outcome<T> call(OperationContext context, String thing, String what, Owned owned, Guarded.Body<T> body) {
        if (out.size() >= MOST) {
            owned.close();
            return Outcome.deferred(MOST + " system calls have not returned");
        }
        FutureTask<Outcome<T>> task = new FutureTask<>(() -> {
            try {
                return Guarded.change(body);
            } finally {
                owned.close();
                out.remove(thing);
            }
        });
        if (!takesItsTurn(thing, task)) {
            owned.close();
            return Outcome.deferred("an earlier call for " + thing + " has not returned from the kernel");
        }
        try {
            threads.newThread(task).start();
        } catch (OutOfMemoryError noThread) {
            // the task will never run, so it takes no slot
            task.cancel(false);
            out.remove(thing, task);
            owned.close();
            return Outcome.deferred("no thread can be started for " + what + ": " + noThread.getMessage());
        }
        return await(context, task, what);
    }

    private boolean takesItsTurn(String thing, FutureTask<?> task) {
        for (int turn = 0; turn < MOST; turn++) {
            FutureTask<?> earlier = out.putIfAbsent(thing, task);
            if (earlier == null) {
                return true;
            }
            if (!hasComeBack(earlier)) {
                return false;
            }
        }
        return false;
    }

    private static boolean hasComeBack(FutureTask<?> earlier) {
        try {
            earlier.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException late) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | CancellationException e) {
            return true;
        }
    }

    private static <T> Outcome<T> await(OperationContext context, FutureTask<Outcome<T>> task, String what) {
        Instant now = context.clock().instant();
        long limit = Math.max(0, Duration.between(now, context.deadline()).toMillis());
        try {
            return task.get(limit, TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            return Outcome.uncertain("the kernel has not finished " + what + " in time");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Outcome.uncertain("interrupted while the kernel was busy with " + what);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }
}
