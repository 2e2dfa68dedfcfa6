// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.storage.spi.Notice;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Which notices the calls of one key have reported of late. Bounds what becomes events ({@link Notice}). Confined to the decider. */
final class Reported {
    static final Duration ONCE_IN = Duration.ofMinutes(10);

    private final Map<Notice, Long> lastNanos = new LinkedHashMap<>(2);

    /** Whether a notice has to become an event; counts it if so. */
    boolean isNew(Notice notice, long nowNanos) {
        lastNanos.values().removeIf(last -> nowNanos - last >= ONCE_IN.toNanos());
        if (lastNanos.containsKey(notice) || lastNanos.size() >= Notice.MOST_OF_ONE_WORK) {
            return false;
        }
        lastNanos.put(notice, nowNanos);
        return true;
    }
}
