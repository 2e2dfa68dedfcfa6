// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.controller;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Which of the calls that change volumes of a driver, and of its lists, came after which. It is counted, not timed. Thread-safe. */
final class CallOrder {
    private final Map<String, Integer> underWay = new HashMap<>();
    private final Map<String, Long> ended = new HashMap<>();
    private long order; // of what begins and ends, guarded by ended
    private long lastBegun; // the place of the last list in it, guarded by ended

    /** Makes a call that changes where a volume is attached. */
    <T> T changing(String handle, Supplier<T> call) {
        synchronized (ended) {
            underWay.merge(handle, 1, Integer::sum);
        }
        try {
            return call.get();
        } finally {
            synchronized (ended) {
                int left = underWay.getOrDefault(handle, 1) - 1;
                if (left == 0) {
                    underWay.remove(handle);
                } else {
                    underWay.put(handle, left);
                }
                ended.put(handle, ++order);
            }
        }
    }

    /**
     * A list begins. What ended before the last list was begun is no reason to doubt that one, which others may still look at, nor any
     * later one.
     *
     * @return its place in the order
     */
    long begins() {
        synchronized (ended) {
            ended.values().removeIf(end -> end < lastBegun);
            lastBegun = ++order;
            return lastBegun;
        }
    }

    /** Whether a list was begun after the last call for a volume had ended, and none is under way. */
    boolean isNewer(long begun, String handle) {
        synchronized (ended) {
            Long end = ended.get(handle);
            return !underWay.containsKey(handle) && (end == null || end < begun);
        }
    }
}
