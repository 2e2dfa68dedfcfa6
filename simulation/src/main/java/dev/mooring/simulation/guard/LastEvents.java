// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.guard;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * What happened last in a world, until something was wrong for the first time. Texts are made only of what is asked for: nearly all worlds
 * are good. Confined to the world's thread.
 */
final class LastEvents {
    private static final int KEPT = 20;

    private final Deque<Entry> last = new ArrayDeque<>();
    private boolean over;

    private record Entry(Duration at, Supplier<String> what) {}

    /**
     * Something happens.
     *
     * @param at when, since the world began
     * @param what makes its text, now or later
     */
    void add(Duration at, Supplier<String> what) {
        if (over) {
            return;
        }
        if (last.size() == KEPT) {
            last.removeFirst();
        }
        last.addLast(new Entry(at, what));
    }

    /** Something was wrong: later events do not show how that came about. */
    void end() {
        over = true;
    }

    /** Each in a line, with the seconds since the world began; the latest comes last. */
    List<String> texts() {
        List<String> texts = new ArrayList<>();
        last.forEach(entry ->
                texts.add(String.format(Locale.ROOT, "%.3f s: ", entry.at().toNanos() / 1e9)
                        + entry.what().get().replaceAll("\\s+", " ")));
        return texts;
    }
}
