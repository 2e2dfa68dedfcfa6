// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import java.util.HashMap;
import java.util.Map;

/** Which rpcs work on what right now: one alone, or several beside each other. None waits for another. Thread-safe. */
final class CallsUnderWay {
    private static final int ALONE = -1;

    /** How many work on it, or {@link #ALONE}. */
    private final Map<String, Integer> working = new HashMap<>();

    /** Begins to work alone; false if others are at it. */
    synchronized boolean enterAlone(String what) {
        return working.putIfAbsent(what, ALONE) == null;
    }

    /** Begins shared work; false if an rpc works on it alone. */
    synchronized boolean enterBeside(String what) {
        int others = working.getOrDefault(what, 0);
        if (others == ALONE) {
            return false;
        }
        working.put(what, others + 1);
        return true;
    }

    /** Ends the work. */
    synchronized void leave(String what) {
        working.computeIfPresent(what, (name, count) -> count <= 1 ? null : count - 1);
    }
}
