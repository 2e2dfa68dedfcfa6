// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import java.util.Comparator;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** At most one timer per slot, in the order of their times. Confined to the decider. */
final class Timers {
    private static final Comparator<Entry> ORDER =
            Comparator.comparingLong(Entry::atNanos).thenComparingLong(Entry::sequence);

    private final TreeSet<Entry> entries = new TreeSet<>(ORDER);
    private long sequence;

    void set(WorkItem slot, long atNanos) {
        cancel(slot);
        Entry entry = new Entry(atNanos, sequence++, slot);
        slot.timer = entry;
        entries.add(entry);
    }

    /** Sets the timer unless an earlier one is set. */
    void setNoLater(WorkItem slot, long atNanos) {
        if (slot.timer == null || slot.timer.atNanos() > atNanos) {
            set(slot, atNanos);
        }
    }

    void cancel(WorkItem slot) {
        if (slot.timer != null) {
            entries.remove(slot.timer);
            slot.timer = null;
        }
    }

    OptionalLong next() {
        return entries.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(entries.first().atNanos());
    }

    /** Takes out a slot whose time has come; null if no timer is due. */
    @Nullable
    WorkItem pollDue(long nowNanos) {
        if (entries.isEmpty() || entries.first().atNanos() > nowNanos) {
            return null;
        }
        WorkItem slot = entries.pollFirst().slot();
        slot.timer = null;
        return slot;
    }

    record Entry(long atNanos, long sequence, WorkItem slot) {}
}
