// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.plugin.support.BootId;
import dev.mooring.plugin.support.CallLocks;
import dev.mooring.plugin.support.Pause;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.HostServices;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One call of the host, and what all calls on this node share.
 *
 * @param context the call
 * @param shared the node
 */
record IscsiCall(OperationContext context, Shared shared) {
    /** Between two looks. */
    private static final Duration LOOK = Duration.ofMillis(50);

    /** Locks of one node, and how it waits. */
    static final class Shared {
        private final CallLocks iscsiadm = new CallLocks();
        private final CallLocks ledger = new CallLocks();
        private final CallLocks targets = new CallLocks();
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
        return BootId.current(host()).orElse("");
    }

    /** Only one of the node's calls uses the tool and its data base at a time (semantics/plugins §3.2). */
    <T> Outcome<T> alone(Supplier<Outcome<T>> action) {
        return shared.iscsiadm.hold(context, "", "another volume's iscsiadm takes long", action);
    }

    /** Only one call at a time decides on the sessions of a target (semantics/plugins §3.5). */
    <T> Outcome<T> withTarget(String iqn, Supplier<Outcome<T>> action) {
        return shared.targets.hold(context, iqn, "another volume of " + iqn + " is being worked on", action);
    }

    /** One change of an entry at a time, since a volume that goes writes into that of another one. Nothing else is waited for inside. */
    <T> Outcome<T> withLedger(Supplier<Outcome<T>> action) {
        return shared.ledger.hold(context, "", "another volume is being noted", action);
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
            shared.pause.pass(context, LOOK);
        }
    }

    void pass(Duration moment) {
        shared.pause.pass(context, moment);
    }
}
