// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import dev.mooring.runtime.control.TimeSource;
import dev.mooring.storage.model.Kind;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * What is logged of lists that fail: of each kind one warning in half a minute, and the others for who debugs. A loop may follow hundreds of
 * objects one by one, and a server that is away fails all of them. Confined to the decider.
 */
final class FollowingLog {
    private static final Logger LOG = LoggerFactory.getLogger(FollowingLog.class);
    private static final Duration BETWEEN = Duration.ofSeconds(30);

    private final TimeSource time;
    private final Map<Kind<?>, Long> warnedNanos = new HashMap<>();

    FollowingLog(TimeSource time) {
        this.time = time;
    }

    /** How loudly a failure of a list is told now. */
    Level level(Kind<?> kind) {
        long now = time.now().monotonicNanos();
        Long before = warnedNanos.get(kind);
        if (before != null && now - before < BETWEEN.toNanos()) {
            return Level.DEBUG;
        }
        warnedNanos.put(kind, now);
        return Level.WARN;
    }

    /**
     * Tells of a list that failed.
     *
     * @param fields which of the kind's objects; empty for all
     */
    void failed(Kind<?> kind, String fields, String message, Duration wait) {
        String which = fields.isEmpty() ? "" : " with " + fields;
        LOG.atLevel(level(kind)).log("cannot list {}{}: {}; trying again in {}", kind, which, message, wait);
    }
}
