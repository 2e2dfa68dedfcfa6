// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import java.util.Comparator;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** At most one timer per item, in the order of their times. Confined to the decider. */
final class Timers {
    private static final Comparator<Entry> ORDER =
            Comparator.comparingLong(Entry::atNanos).thenComparingLong(Entry::sequence);

    private final TreeSet<Entry> entries = new TreeSet<>(ORDER);
    private long sequence;

    void set(WorkItem item, long atNanos) {
        cancel(item);
        Entry entry = new Entry(atNanos, sequence++, item);
        item.timer = entry;
        entries.add(entry);
    }

    /** Sets the timer unless an earlier one is set. */
    void setNoLater(WorkItem item, long atNanos) {
        if (item.timer == null || item.timer.atNanos() > atNanos) {
            set(item, atNanos);
        }
    }

    void cancel(WorkItem item) {
        if (item.timer != null) {
            entries.remove(item.timer);
            item.timer = null;
        }
    }

    OptionalLong next() {
        return entries.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(entries.first().atNanos());
    }

    /** Takes out an item whose time has come; null if no timer is due. */
    @Nullable
    WorkItem pollDue(long nowNanos) {
        if (entries.isEmpty() || entries.first().atNanos() > nowNanos) {
            return null;
        }
        WorkItem item = entries.pollFirst().item();
        item.timer = null;
        return item;
    }

    record Entry(long atNanos, long sequence, WorkItem item) {}
}
