// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.HostServices;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * One call of the host, and what all calls on this node share.
 *
 * @param context the call
 * @param shared the node
 */
record Call(OperationContext context, Shared shared) {
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    /** Locks of one node, and how it waits. */
    static final class Shared {
        private final ReentrantLock iscsiadm = new ReentrantLock(true);
        private final ReentrantLock ledger = new ReentrantLock(true);
        private final TargetLocks targets = new TargetLocks();
        private final Pause pause;

        private String lock = "";
        private Duration lockSeen = Duration.ZERO;

        Shared(Pause pause) {
            this.pause = pause;
        }

        /**
         * Notes which lock of the data base is there.
         *
         * @param identity tells it from other ones at the same place
         * @param upTime since the machine started
         * @return how long it has been seen
         */
        synchronized Duration seenFor(String identity, Duration upTime) {
            if (!identity.equals(lock)) {
                lock = identity;
                lockSeen = upTime;
            }
            return upTime.minus(lockSeen);
        }
    }

    HostServices host() {
        return context.host();
    }

    /** Which boot of the machine this is; empty where it does not say. */
    String boot() {
        return host().sysfs().read(BOOT_ID).result().flatMap(id -> id).orElse("");
    }

    /** Only one of the node's calls uses the tool and its data base at a time (semantics/plugins §3.2). */
    <T> Outcome<T> alone(Supplier<Outcome<T>> action) {
        return locked(shared.iscsiadm, "another volume's iscsiadm takes long", action);
    }

    /** Only one call at a time decides on the sessions of a target (semantics/plugins §3.5). */
    <T> Outcome<T> withTarget(String iqn, Supplier<Outcome<T>> action) {
        return shared.targets.with(
                iqn, lock -> locked(lock, "another volume of " + iqn + " is being worked on", action));
    }

    /** One change of an entry at a time, since a volume that goes writes into that of another one. Nothing else is waited for inside. */
    <T> Outcome<T> withLedger(Supplier<Outcome<T>> action) {
        return locked(shared.ledger, "another volume is being noted", action);
    }

    private <T> Outcome<T> locked(ReentrantLock lock, String why, Supplier<Outcome<T>> action) {
        try {
            long left = Duration.between(context.clock().instant(), context.deadline())
                    .toMillis();
            if (!lock.tryLock(Math.max(0, left), TimeUnit.MILLISECONDS)) {
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

    /**
     * Looks until something is there, the time is up or the call is cancelled.
     *
     * @return what the last look showed
     */
    <T> Outcome<Optional<T>> await(Duration limit, Supplier<Outcome<Optional<T>>> look) {
        Instant end = context.clock().instant().plus(limit);
        Instant last = end.isBefore(context.deadline()) ? end : context.deadline();
        while (true) {
            Outcome<Optional<T>> seen = look.get();
            boolean over = context.cancelled() || !context.clock().instant().isBefore(last);
            if (over || !seen.isDone() || seen.result().orElseThrow().isPresent()) {
                return seen;
            }
            shared.pause.pass(context, Pause.LOOK);
        }
    }

    void pass(Duration moment) {
        shared.pause.pass(context, moment);
    }
}
