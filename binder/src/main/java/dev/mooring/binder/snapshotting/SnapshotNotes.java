// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.snapshotting;

import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Time;
import java.time.Duration;
import java.util.Optional;

/**
 * What is remembered of a snapshot; all of it may be lost.
 *
 * @param told the last news
 * @param looks how often the back-end has said that the snapshot is not ready yet
 * @param notBeforeNanos monotonic time before which it is not asked again
 */
record SnapshotNotes(String told, int looks, long notBeforeNanos) implements KeyState {
    static final SnapshotNotes NONE = new SnapshotNotes("", 0, 0);

    private static final int LONGEST_DOUBLINGS = 6;

    SnapshotNotes telling(String news) {
        return new SnapshotNotes(news, looks, notBeforeNanos);
    }

    /** The snapshot is not ready: the next look comes after twice as long, up to a minute. */
    SnapshotNotes afterLook(Time now) {
        Duration wait = Defaults.BACKOFF_FIRST.multipliedBy(1L << Math.min(looks, LONGEST_DOUBLINGS));
        return new SnapshotNotes(told, looks + 1, now.monotonicNanosAfter(wait));
    }

    /** For how long the back-end is not asked; empty if it may be asked now. */
    Optional<Duration> wait(Time now) {
        long left = notBeforeNanos - now.monotonicNanos();
        return looks > 0 && left > 0 ? Optional.of(Duration.ofNanos(left)) : Optional.empty();
    }
}
