// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.support;

import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * Locks by name, such as one for each target or share. A call waits for its turn until its deadline and no longer. There are as many locks as
 * are used at a time: a fixed number would have one name wait for another, and one for each name ever seen would stay for ever. Fair,
 * reentrant, thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CallLocks {
    private final Map<String, Shared> locks = new ConcurrentHashMap<>();

    /** Locks of which none is held. */
    public CallLocks() {}

    /** A lock, and how many have it or wait for it. */
    private record Shared(ReentrantLock lock, int users) {
        Shared(int users) {
            this(new ReentrantLock(true), users);
        }

        Shared with(int more) {
            return new Shared(lock, users + more);
        }
    }

    /**
     * Does something while no other call holds the name.
     *
     * @param context the call that waits
     * @param name what is held
     * @param why what is waited for, for the message, such as {@code another volume of the target is being worked on}
     * @param action what to do; may throw, the lock is free afterwards
     * @return what the action answers; deferred, and nothing was done, if the turn does not come in time
     */
    public <T> Outcome<T> hold(OperationContext context, String name, String why, Supplier<Outcome<T>> action) {
        Shared shared = locks.merge(name, new Shared(1), (there, first) -> there.with(1));
        try {
            return locked(context, shared.lock(), why, action);
        } finally {
            locks.computeIfPresent(name, (key, there) -> there.users() == 1 ? null : there.with(-1));
        }
    }

    private static <T> Outcome<T> locked(
            OperationContext context, ReentrantLock lock, String why, Supplier<Outcome<T>> action) {
        Duration left = Duration.between(context.clock().instant(), context.deadline());
        try {
            if (!lock.tryLock(Math.max(0, left.toMillis()), TimeUnit.MILLISECONDS)) {
                return Outcome.deferred(why);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Outcome.deferred("interrupted: " + why);
        }
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }

    /** How many names are held or waited for. */
    int size() {
        return locks.size();
    }
}
