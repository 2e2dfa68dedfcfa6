// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import java.util.Comparator;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The keys that wait for a decision, by rank, then by arrival. Confined to the decider. */
final class ReadyQueue {
    private static final Comparator<Entry> ORDER =
            Comparator.comparing(Entry::rank).thenComparingLong(Entry::arrival);

    private final TreeSet<Entry> entries = new TreeSet<>(ORDER);
    private final Function<WorkItem, Rank> ranks;
    private long arrivals;

    /**
     * Makes an empty queue.
     *
     * @param ranks where an item stands; throws nothing
     */
    ReadyQueue(Function<WorkItem, Rank> ranks) {
        this.ranks = ranks;
    }

    /** Adds an item unless it waits already. */
    boolean add(WorkItem item) {
        if (item.ready != null) {
            return false;
        }
        Entry entry = new Entry(ranks.apply(item), arrivals++, item);
        entries.add(entry);
        item.ready = entry;
        return true;
    }

    /** Takes the first item out; null if none waits. */
    @Nullable
    WorkItem poll() {
        Entry first = entries.pollFirst();
        if (first == null) {
            return null;
        }
        first.item.ready = null;
        return first.item;
    }

    int size() {
        return entries.size();
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    record Entry(Rank rank, long arrival, WorkItem item) {}
}
