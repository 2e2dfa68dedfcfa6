// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which targets have a mutating effect in flight, and which keys wait for them. Confined to the decider. */
final class BusyTargets {
    private final Map<Target, Long> holders = new HashMap<>();
    private final Map<Target, Set<WorkItem>> waiting = new HashMap<>();

    /** Effects of one decision run at the same time, so two on one target would be two mutating effects on it. */
    static void requireDistinct(Decision decision) {
        if (decision.effects().size() < 2) {
            return;
        }
        Set<Target> seen = new HashSet<>();
        for (Effect effect : decision.effects()) {
            effect.target().filter(target -> !seen.add(target)).ifPresent(target -> {
                throw new IllegalStateException("one decision has two effects on " + target);
            });
        }
    }

    boolean isBusy(Target target) {
        return holders.containsKey(target);
    }

    void hold(Target target, long dispatchId) {
        holders.put(target, dispatchId);
    }

    void await(Target target, WorkItem item) {
        forget(item);
        waiting.computeIfAbsent(target, t -> new LinkedHashSet<>()).add(item);
        item.waitsFor = target;
    }

    /** Has an item wait no longer. Its next decision may want something else. An item may be forgotten only if no target holds it. */
    void forget(WorkItem item) {
        Target target = item.waitsFor;
        if (target != null) {
            item.waitsFor = null;
            waiting.computeIfPresent(target, (t, items) -> {
                items.remove(item);
                return items.isEmpty() ? null : items;
            });
        }
    }

    /** Frees a target if that dispatch still holds it; answers with the keys that waited. */
    List<WorkItem> release(Target target, long dispatchId) {
        if (!Long.valueOf(dispatchId).equals(holders.get(target))) {
            return List.of();
        }
        holders.remove(target);
        Set<WorkItem> waiters = waiting.remove(target);
        if (waiters == null) {
            return List.of();
        }
        waiters.forEach(item -> item.waitsFor = null);
        return new ArrayList<>(waiters);
    }
}
