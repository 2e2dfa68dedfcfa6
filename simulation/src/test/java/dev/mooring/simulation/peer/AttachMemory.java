// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.peer;

import dev.mooring.runtime.control.Situation;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the peer's attach-detach controller keeps in memory, and loses with its process. */
final class AttachMemory {
    final Map<String, Entry> actual = new TreeMap<>();
    final Map<String, Operation> running = new LinkedHashMap<>();
    final Map<String, Wait> waits = new TreeMap<>();
    final Set<String> told = new TreeSet<>();
    final Set<String> nodeWrites = new TreeSet<>();
    private long sequence;

    /** A number that no effect has had. */
    long next() {
        return sequence++;
    }

    /** A volume on a node, as far as this memory goes. */
    static final class Entry {
        final Wanted what;
        boolean confirmed;
        boolean reported;
        long detachRequestedNanos = -1;

        Entry(Wanted what, boolean confirmed) {
            this.what = what;
            this.confirmed = confirmed;
            this.reported = confirmed;
        }
    }

    /** An operation and where it stands. */
    static final class Operation {
        final Wanted what;
        final boolean attach;
        final boolean safe;
        String step;
        long begunNanos;
        long nextLookNanos;
        Duration sleep = Duration.ofMillis(500);

        Operation(Wanted what, boolean attach, boolean safe, String step) {
            this.what = what;
            this.attach = attach;
            this.safe = safe;
            this.step = step;
        }
    }

    /** How long an operation that failed backs off. */
    record Wait(String operation, Duration length, long untilNanos) {}

    /** Whether an operation of the volume runs, or this one backs off (§2.2, §2.3). */
    boolean blocked(Wanted what, String operation, Situation situation) {
        boolean busy = running.values().stream()
                .anyMatch(other -> other.what.volume().equals(what.volume())
                        && (!what.many() || other.what.node().equals(what.node())));
        Wait wait = waits.get(what.lock());
        if (wait != null && !wait.operation().equals(operation)) {
            waits.remove(what.lock());
            return busy;
        }
        return busy || (wait != null && situation.now().monotonicNanos() < wait.untilNanos());
    }
}
