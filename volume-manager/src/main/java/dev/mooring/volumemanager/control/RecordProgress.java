// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.spi.PluginState;
import java.util.Optional;

/**
 * How far something has come that is recorded before it is done. All of it but {@code record} may be forgotten in a crash.
 *
 * @param record the last entry that is surely durable; absent if there is none or it says GONE
 * @param appending the entry whose append has not been confirmed: it may or may not be durable
 * @param answer what a call answered that is not recorded as DONE yet
 * @param undone whether the undoing call succeeded, which is not recorded as GONE yet
 * @param trusted whether what is recorded as DONE was done by this process, or has been looked for in the mount table
 */
record RecordProgress<E extends RecordEntry>(
        Optional<E> record, Optional<E> appending, Optional<PluginState> answer, boolean undone, boolean trusted) {
    /** What is known at the start: a record that says INTENT may have had its call. */
    static <E extends RecordEntry> RecordProgress<E> of(Optional<E> record) {
        return new RecordProgress<>(record, Optional.empty(), Optional.empty(), false, false);
    }

    /** An append is on its way. */
    RecordProgress<E> withAppending(E entry) {
        return new RecordProgress<>(record, Optional.of(entry), answer, undone, trusted);
    }

    /** The append has been confirmed. */
    RecordProgress<E> appended(E entry) {
        return new RecordProgress<>(
                Optional.of(entry).filter(found -> found.phase() != RecordPhase.GONE),
                Optional.empty(),
                Optional.empty(),
                false,
                trusted || record.isEmpty() || entry.phase() != RecordPhase.DONE);
    }

    /** The call succeeded. */
    RecordProgress<E> answered(PluginState state) {
        return new RecordProgress<>(record, appending, Optional.of(state), undone, true);
    }

    /** The call did not succeed. */
    RecordProgress<E> unanswered() {
        return new RecordProgress<>(record, appending, Optional.empty(), undone, trusted);
    }

    /** The undoing call succeeded. */
    RecordProgress<E> withUndone() {
        return new RecordProgress<>(record, appending, answer, true, trusted);
    }

    /** Whether what is recorded as DONE needs no look at the mount table. */
    RecordProgress<E> withTrust(boolean now) {
        return new RecordProgress<>(record, appending, answer, undone, now);
    }

    /** Whether the log may say already that it ends: after a crash it would be undone. */
    boolean mayEnd() {
        return appending
                .filter(entry -> entry.phase() == RecordPhase.UNDO || entry.phase() == RecordPhase.GONE)
                .isPresent();
    }
}
