// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.record.RecordEntry.Stage;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.spi.PluginState;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What the agent knows of one volume of the node. All of it but the record may be forgotten in a crash.
 *
 * @param progress how far it has come
 * @param cleared what the attachment says, once the handshake allowed the next call; absent if it did not yet
 * @param denials how often in a row the live reads contradicted what the caches show
 * @param lacking since when, by the monotonic clock, the plugin says that something of what is staged is missing; absent if nothing is
 * @param lost whether what is recorded as DONE was looked for and not found; it is prepared again once no pod may have it (S10)
 */
record StageState(
        RecordProgress<Stage> progress, Optional<Clearance> cleared, int denials, Optional<Long> lacking, boolean lost)
        implements RecordedState<Stage, StageState> {
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
        return new StageState(RecordProgress.of(record), Optional.empty(), 0, Optional.empty(), false);
    }

    /**
     * What may be there: never less than what a replay of the log would show, and not DONE while the log may say UNDO, or before a look has
     * shown that it is still there. What was lost is shown as UNDO: no pod gets it any more.
     */
    Optional<Stage> standing() {
        return appending()
                .filter(entry -> progress.mayEnd())
                .map(entry -> entry.in(RecordPhase.UNDO))
                .or(() -> record().map(entry -> entry.phase() == RecordPhase.DONE && !progress.trusted()
                        ? entry.in(RecordPhase.INTENT)
                        : entry))
                .map(entry -> lost ? entry.in(RecordPhase.UNDO) : entry)
                .or(() -> appending().map(entry -> entry.in(RecordPhase.INTENT)));
    }

    private StageState at(RecordProgress<Stage> now) {
        return new StageState(now, cleared, denials, lacking, lost);
    }

    @Override
    public StageState appending(Stage entry) {
        return at(progress.withAppending(entry));
    }

    /** The append has been confirmed. */
    StageState appended(Stage entry) {
        return new StageState(
                progress.appended(entry),
                cleared.filter(clearance -> entry.phase() == RecordPhase.INTENT),
                0,
                lacking.filter(since -> entry.phase() == RecordPhase.DONE),
                false);
    }

    /** The handshake allows the next call. */
    StageState cleared(Map<String, String> attached, Time now) {
        Clearance clearance = new Clearance(attached, now.monotonicNanos());
        return new StageState(progress, Optional.of(clearance), 0, lacking, lost);
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
        return new StageState(progress, Optional.empty(), denials, lacking, lost);
    }

    /** The live reads say no. */
    StageState denied() {
        return new StageState(progress, Optional.empty(), denials + 1, lacking, lost);
    }

    /** A stage succeeded. */
    StageState staged(PluginState state) {
        return new StageState(progress.answered(state), cleared, 0, lacking, false);
    }

    /** An unstage succeeded. */
    StageState unstaged() {
        return new StageState(progress.withUndone(), cleared, 0, lacking, lost);
    }

    /** Something of what is staged is missing, and people have been told. */
    StageState lackingSince(Time now) {
        return new StageState(progress, cleared, denials, Optional.of(now.monotonicNanos()), lost);
    }

    /** Nothing is missing. */
    StageState whole() {
        return new StageState(progress, cleared, denials, Optional.empty(), lost);
    }

    /** What is recorded as DONE has to be looked for again. */
    StageState distrust() {
        return looked(false, false);
    }

    /** The mount table does not show what is recorded. */
    StageState losing() {
        return looked(true, true);
    }

    @Override
    public StageState trust() {
        return looked(true, false);
    }

    private StageState looked(boolean trusted, boolean nowLost) {
        return new StageState(progress.withTrust(trusted), cleared, denials, lacking, nowLost);
    }
}
