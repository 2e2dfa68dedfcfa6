// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.record.RecordEntry.Stage;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.spi.PluginState;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What the agent knows of one volume of the node. All of it but {@code record} may be forgotten in a crash.
 *
 * @param record the last entry that is surely durable; absent if there is none or it says GONE
 * @param appending the entry whose append has not been confirmed: it may or may not be durable
 * @param cleared what the attachment says, once the handshake allowed the next call; absent if it did not yet
 * @param answer what a call answered that is not recorded as DONE yet
 * @param undone whether an unstage succeeded that is not recorded as GONE yet
 * @param denials how often in a row the live reads contradicted what the caches show
 * @param lacking since when, by the monotonic clock, the plugin says that something of what is staged is missing; absent if nothing is
 * @param trusted whether what is recorded as DONE was done by this process, or has been looked for in the mount table
 * @param lost whether what is recorded as DONE was not found there; it is prepared anew once no pod may have it (S10)
 */
record StageState(
        Optional<Stage> record,
        Optional<Stage> appending,
        Optional<Clearance> cleared,
        Optional<PluginState> answer,
        boolean undone,
        int denials,
        Optional<Long> lacking,
        boolean trusted,
        boolean lost)
        implements KeyState {
    /** How long what was read live is believed: as long as it takes to write the intent down, and no longer. */
    private static final Duration BELIEVED = Defaults.STORE_TIME_LIMIT;

    /**
     * What the handshake has allowed.
     *
     * @param attached what the attachment says
     * @param atNanos when it was made
     */
    record Clearance(Map<String, String> attached, long atNanos) {}

    /** What is known at the start. */
    static StageState of(Optional<Stage> record) {
        return new StageState(
                record, Optional.empty(), Optional.empty(), Optional.empty(), false, 0, Optional.empty(), false, false);
    }

    /**
     * What may be there: never less than what a replay of the log would show, and not DONE as long as the log may say UNDO or nobody has
     * looked whether it is still there. What was lost is shown as UNDO: no pod gets it any more.
     */
    Optional<Stage> standing() {
        return appending
                .filter(entry -> entry.phase() == RecordPhase.UNDO || entry.phase() == RecordPhase.GONE)
                .map(entry -> entry.in(RecordPhase.UNDO))
                .or(() -> record.map(
                        entry -> entry.phase() == RecordPhase.DONE && !trusted ? entry.in(RecordPhase.INTENT) : entry))
                .map(entry -> lost ? entry.in(RecordPhase.UNDO) : entry)
                .or(() -> appending.map(entry -> entry.in(RecordPhase.INTENT)));
    }

    /** An append is on its way. */
    StageState appending(Stage entry) {
        return new StageState(record, Optional.of(entry), cleared, answer, undone, 0, lacking, trusted, lost);
    }

    /** The append has been confirmed. */
    StageState appended(Stage entry) {
        boolean intent = entry.phase() == RecordPhase.INTENT;
        return new StageState(
                Optional.of(entry).filter(found -> found.phase() != RecordPhase.GONE),
                Optional.empty(),
                intent ? cleared : Optional.empty(),
                Optional.empty(),
                false,
                0,
                lacking.filter(since -> entry.phase() == RecordPhase.DONE),
                trusted || record.isEmpty() || entry.phase() != RecordPhase.DONE,
                false);
    }

    /** The handshake allows the next call. */
    StageState cleared(Map<String, String> attached, Time now) {
        Clearance clearance = new Clearance(attached, now.monotonicNanos());
        return new StageState(record, appending, Optional.of(clearance), answer, undone, 0, lacking, trusted, lost);
    }

    /** Whether the handshake was made just now. */
    boolean isClearedAt(Time now) {
        return cleared.filter(clearance -> now.monotonicNanos() - clearance.atNanos() <= BELIEVED.toNanos())
                .isPresent();
    }

    /** What the attachment says. */
    Map<String, String> attached() {
        return cleared.map(Clearance::attached).orElse(Map.of());
    }

    /** The handshake has to be made again before the next call. */
    StageState uncleared() {
        return new StageState(record, appending, Optional.empty(), answer, undone, denials, lacking, trusted, lost);
    }

    /** The live reads say no. */
    StageState denied() {
        return new StageState(record, appending, Optional.empty(), answer, undone, denials + 1, lacking, trusted, lost);
    }

    /** A stage succeeded. */
    StageState staged(PluginState state) {
        return new StageState(record, appending, cleared, Optional.of(state), undone, 0, lacking, true, false);
    }

    /** An unstage succeeded. */
    StageState unstaged() {
        return new StageState(record, appending, cleared, answer, true, 0, lacking, trusted, lost);
    }

    /** Something of what is staged is missing, and people have been told. */
    StageState lackingSince(Time now) {
        return new StageState(
                record, appending, cleared, answer, undone, denials, Optional.of(now.monotonicNanos()), trusted, lost);
    }

    /** Nothing is missing. */
    StageState whole() {
        return new StageState(record, appending, cleared, answer, undone, denials, Optional.empty(), trusted, lost);
    }

    /** What is recorded as DONE has to be looked for again. */
    StageState distrust() {
        return new StageState(record, appending, cleared, answer, undone, denials, lacking, false, false);
    }

    /** The mount table does not show what is recorded. */
    StageState losing() {
        return new StageState(record, appending, cleared, answer, undone, denials, lacking, true, true);
    }

    /** The mount table shows what is recorded. */
    StageState trust() {
        return new StageState(record, appending, cleared, answer, undone, denials, lacking, true, false);
    }
}
