// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.runtime.cache.Caches;
import java.util.List;
import java.util.Optional;

/**
 * Which decisions may be applied now: none with an operation that backs off, none with a target that is busy. What is held back is made
 * again when the time has come or the target is free. Confined to the decider.
 */
final class DecisionGate {
    private final Caches caches;
    private final BusyTargets targets;
    private final Timers timers;
    private final LongWaits waits;
    private final LoopListener listener;

    DecisionGate(Caches caches, BusyTargets targets, Timers timers, LongWaits waits, LoopListener listener) {
        this.caches = caches;
        this.targets = targets;
        this.timers = timers;
        this.waits = waits;
        this.listener = listener;
    }

    /** The decision without the changes that the store has refused and would refuse again. */
    Decision withoutRefused(WorkItem item, Decision wanted, Time now) {
        if (item.refused.isEmpty()) {
            return wanted;
        }
        item.refused.forgetOld(caches, now.monotonicNanos());
        for (Effect effect : wanted.effects()) {
            if (item.refused.contains(effect)) {
                heldBack(item, effect);
            }
        }
        return item.refused.without(wanted, now.monotonicNanos());
    }

    /**
     * Whether a decision has to wait; its key is then posted again in time.
     *
     * @throws IllegalStateException if two of its effects have one target
     */
    boolean holdsBack(WorkItem item, Decision decision, Time now) {
        BusyTargets.requireDistinct(decision);
        if (backsOff(item, decision.effects(), now)) {
            waits.heldBack(item, decision, decision.effects().get(0), now.monotonicNanos());
            return true;
        }
        for (Effect effect : decision.effects()) {
            Optional<Target> busy = effect.target().filter(targets::isBusy);
            if (busy.isPresent()) {
                targets.await(busy.get(), item);
                waits.heldBack(item, decision, effect, now.monotonicNanos());
                heldBack(item, effect);
                return true;
            }
        }
        return false;
    }

    /** Whether the operation of one of the effects backs off; its key is then posted when that ends. */
    boolean backsOff(WorkItem item, List<? extends Effect> effects, Time now) {
        long notBefore = item.backoffs.notBefore(effects, now.monotonicNanos());
        if (notBefore == Long.MIN_VALUE) {
            return false;
        }
        timers.setNoLater(item, notBefore); // the last decision may have asked to be looked at before
        heldBack(item, effects.get(0));
        return true;
    }

    private void heldBack(WorkItem item, Effect effect) {
        listener.onHeldBack(item.controller.name(), item.key, effect);
    }
}
