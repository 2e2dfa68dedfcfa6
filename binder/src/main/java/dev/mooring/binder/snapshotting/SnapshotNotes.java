// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.snapshotting;

import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Time;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.time.Duration;
import java.util.Optional;

/**
 * What is remembered of a snapshot; all of it may be lost.
 *
 * @param told the last news
 * @param looks how often the back-end has said that the snapshot is not ready yet
 * @param notBeforeNanos monotonic time before which it is not asked again
 * @param asking what is known of the calls that make the snapshot of a content
 */
record SnapshotNotes(String told, int looks, long notBeforeNanos, Asking asking) implements KeyState {
    /** What is known of the calls that make a snapshot. */
    enum Asking {
        /** An answer was lost, or another process may have asked: a refusal since then proves nothing of that call. */
        UNKNOWN,
        /** This process has written the mark, and nothing was asked. */
        MARKED,
        /** The first call since the mark is under way. */
        ASKED,
        /** Every call since the mark was refused or not started: there is no snapshot. */
        REFUSED
    }

    static final SnapshotNotes NONE = new SnapshotNotes("", 0, 0, Asking.UNKNOWN);

    private static final int LONGEST_DOUBLINGS = 6;

    SnapshotNotes telling(String news) {
        return new SnapshotNotes(news, looks, notBeforeNanos, asking);
    }

    /** The snapshot is not ready: the next look comes after twice as long, up to a minute. */
    SnapshotNotes afterLook(Time now) {
        Duration wait = Defaults.BACKOFF_FIRST.multipliedBy(1L << Math.min(looks, LONGEST_DOUBLINGS));
        return new SnapshotNotes(told, looks + 1, now.monotonicNanosAfter(wait), asking);
    }

    SnapshotNotes with(Asking other) {
        return new SnapshotNotes(told, looks, notBeforeNanos, other);
    }

    /** A call is made now. */
    SnapshotNotes afterCall() {
        return with(asking == Asking.MARKED ? Asking.ASKED : Asking.UNKNOWN);
    }

    /** A call was answered. A driver that made a snapshot and named none is refused as corrupt: there is one then. */
    SnapshotNotes afterAnswer(Outcome<?> answer) {
        boolean nothing = answer.isDeferred() || (answer.isRefused() && !answer.isRefused(Refusal.CORRUPT));
        return with(nothing && asking == Asking.ASKED ? Asking.REFUSED : Asking.UNKNOWN);
    }

    /** Whether no call can have made a snapshot. */
    boolean isSurelyNone() {
        return asking == Asking.MARKED || asking == Asking.REFUSED;
    }

    /** For how long the back-end is not asked; empty if it may be asked now. */
    Optional<Duration> wait(Time now) {
        long left = notBeforeNanos - now.monotonicNanos();
        return looks > 0 && left > 0 ? Optional.of(Duration.ofNanos(left)) : Optional.empty();
    }
}
