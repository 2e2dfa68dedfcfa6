// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Lets one call at a time change the ledger of a share: two volumes that come and go in one directory would otherwise take it away from
 * each other. Only one process makes volumes at a time, the leader. Thread-safe.
 */
final class Shares {
    private final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();

    /** The turn of one call on one share. */
    interface Lock {
        /** Does something while no other call changes the share's ledger; deferred if the turn does not come in time. */
        <T> Outcome<T> hold(Supplier<Outcome<T>> action);
    }

    Lock of(OperationContext context, Export share) {
        ReentrantLock lock = locks.computeIfAbsent(share.source(), name -> new ReentrantLock());
        return new Lock() {
            @Override
            public <T> Outcome<T> hold(Supplier<Outcome<T>> action) {
                return alone(context, share, lock, action);
            }
        };
    }

    private static <T> Outcome<T> alone(
            OperationContext context, Export share, ReentrantLock lock, Supplier<Outcome<T>> action) {
        Duration left = Duration.between(context.clock().instant(), context.deadline());
        try {
            if (!lock.tryLock(Math.max(0, left.toMillis()), TimeUnit.MILLISECONDS)) {
                return Outcome.deferred("other volumes of " + share + " are being made or deleted");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Outcome.deferred("interrupted before anything was done");
        }
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }
}
