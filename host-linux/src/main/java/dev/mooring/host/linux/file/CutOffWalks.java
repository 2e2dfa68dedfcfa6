// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.file;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where walks stood when their time was over, so that the next attempt of the same call goes on there: of a tree for which that time is
 * too short otherwise none would ever come to an end. Thread-safe.
 */
final class CutOffWalks {
    /** A call is repeated within minutes. After that, what was passed may look different. */
    static final Duration KEPT = Duration.ofMinutes(10);

    private static final int MOST = 256;

    private final Map<String, Kept> kept = new LinkedHashMap<>();

    /**
     * How far a walk was.
     *
     * @param way the names from the root down to what comes next; what comes before them in the order of their directories is done
     * @param changed how many files were changed
     * @param unchanged how many were right
     * @param mounts how many were left alone as other file systems
     * @param stuckCount how many could not be changed
     * @param firstStuck the first of those
     */
    record Cursor(List<byte[]> way, long changed, long unchanged, long mounts, long stuckCount, String firstStuck) {
        static final Cursor BEGINNING = new Cursor(List.of(), 0, 0, 0, 0, "");

        Cursor {
            way = List.copyOf(way);
        }
    }

    private record Kept(Cursor cursor, Instant since) {}

    /** Where to go on; what was kept is used once. */
    synchronized Cursor take(String call, Instant now) {
        return Optional.ofNullable(kept.remove(call))
                .filter(found -> now.isBefore(found.since().plus(KEPT)))
                .map(Kept::cursor)
                .orElse(Cursor.BEGINNING);
    }

    synchronized void keep(String call, Cursor cursor, Instant now) {
        kept.values().removeIf(found -> !now.isBefore(found.since().plus(KEPT)));
        if (kept.size() < MOST) {
            kept.put(call, new Kept(cursor, now));
        }
    }
}
