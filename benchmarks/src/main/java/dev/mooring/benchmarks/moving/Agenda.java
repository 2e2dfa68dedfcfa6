// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.moving;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;

/** What happens when, in virtual time; what is due at one time happens in the order in which it was entered. */
final class Agenda {
    private final PriorityQueue<Entry> entries =
            new PriorityQueue<>(Comparator.comparingLong(Entry::at).thenComparingLong(Entry::sequence));
    private long sequence;
    private long now;

    private record Entry(long at, long sequence, Runnable work) {}

    long now() {
        return now;
    }

    void after(Duration delay, Runnable work) {
        entries.add(new Entry(now + delay.toNanos(), sequence++, work));
    }

    /** Does what comes next, at its time; false if there is nothing up to a time. */
    boolean next(long until) {
        if (entries.isEmpty() || entries.peek().at() > until) {
            return false;
        }
        Entry entry = entries.remove();
        now = entry.at();
        entry.work().run();
        return true;
    }

    /** When something is entered next. */
    long nextAt() {
        return entries.isEmpty() ? Long.MAX_VALUE : entries.peek().at();
    }

    /** Lets time pass to a moment before which nothing is entered. */
    void moveTo(long moment) {
        now = Math.max(now, moment);
    }
}
