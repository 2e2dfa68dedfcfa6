// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.spi.PluginState;
import java.util.Optional;

/**
 * What the agent knows of one volume of one pod. All of it but {@code record} may be forgotten in a crash.
 *
 * @param record the last entry that is surely durable; absent if there is none or it says GONE
 * @param appending the entry whose append has not been confirmed: it may or may not be durable
 * @param answer what a publish answered that is not recorded as DONE yet
 * @param untouched whether no call made since INTENT can have had an effect: the next publish is the first one
 * @param undone whether an unpublish succeeded that is not recorded as GONE yet
 * @param podGone whether a live read has shown that the pod's object is gone
 * @param told the last reason for not mounting that people were told; empty if there is none
 * @param need what the pod needs, if it needs it and could have it
 * @param trusted whether what is recorded as DONE was done by this process, or has been found in the mount table
 */
record PodVolumeState(
        Optional<Publish> record,
        Optional<Publish> appending,
        Optional<PluginState> answer,
        boolean untouched,
        boolean undone,
        boolean podGone,
        String told,
        Optional<VolumeNeed> need,
        boolean trusted)
        implements KeyState {
    /** Nothing is known. */
    static final PodVolumeState NONE = of(Optional.empty());

    /** What is known at the start: a record that says INTENT may have had its call. */
    static PodVolumeState of(Optional<Publish> record) {
        return new PodVolumeState(
                record, Optional.empty(), Optional.empty(), false, false, false, "", Optional.empty(), false);
    }

    /**
     * What may be there: never less than what a replay of the log would show, and not DONE as long as nobody has looked whether it is
     * still there: no pod shall run on a bare directory.
     */
    Optional<Publish> standing() {
        return record.map(entry -> entry.phase() == RecordPhase.DONE && !trusted ? entry.in(RecordPhase.INTENT) : entry)
                .or(() -> appending);
    }

    /** An append is on its way. */
    PodVolumeState appending(Publish entry) {
        return new PodVolumeState(record, Optional.of(entry), answer, untouched, undone, podGone, told, need, trusted);
    }

    /** The append has been confirmed. */
    PodVolumeState appended(Publish entry) {
        return switch (entry.phase()) {
            case INTENT ->
                new PodVolumeState(
                        Optional.of(entry), Optional.empty(), Optional.empty(), true, false, podGone, told, need, true);
            case DONE ->
                new PodVolumeState(
                        Optional.of(entry),
                        Optional.empty(),
                        Optional.empty(),
                        false,
                        false,
                        podGone,
                        "",
                        need,
                        trusted);
            case UNDO ->
                new PodVolumeState(
                        Optional.of(entry), Optional.empty(), Optional.empty(), false, false, podGone, "", need, true);
            case GONE ->
                new PodVolumeState(
                        Optional.empty(), Optional.empty(), Optional.empty(), false, false, podGone, told, need, true);
        };
    }

    /** A publish succeeded. */
    PodVolumeState published(PluginState state) {
        return new PodVolumeState(record, appending, Optional.of(state), false, undone, podGone, told, need, true);
    }

    /** A publish did not succeed; if it may have had an effect, the next one is a recovery. */
    PodVolumeState notPublished(boolean surelyNoEffect) {
        return new PodVolumeState(
                record, appending, Optional.empty(), untouched && surelyNoEffect, undone, podGone, told, need, trusted);
    }

    /** An unpublish succeeded. */
    PodVolumeState unpublished() {
        return new PodVolumeState(record, appending, answer, untouched, true, podGone, told, need, trusted);
    }

    /** A live read has shown that the pod's object is gone; a uid never comes back. */
    PodVolumeState withPodGone() {
        return new PodVolumeState(record, appending, answer, untouched, undone, true, told, need, trusted);
    }

    /** People are told why nothing is mounted. */
    PodVolumeState telling(String message) {
        return new PodVolumeState(record, appending, answer, untouched, undone, podGone, message, need, trusted);
    }

    /** What the pod needs now. */
    PodVolumeState needing(Optional<VolumeNeed> now) {
        return new PodVolumeState(record, appending, answer, untouched, undone, podGone, told, now, trusted);
    }

    /** The mount table shows what is recorded, or nothing more can be done about it. */
    PodVolumeState trust() {
        return new PodVolumeState(record, appending, answer, untouched, undone, podGone, told, need, true);
    }

    /** What is recorded as DONE has to be looked for again. */
    PodVolumeState distrust() {
        return new PodVolumeState(record, appending, answer, untouched, undone, podGone, told, need, false);
    }

    /** Whether the record, if there is one, is in that phase. */
    boolean is(RecordPhase phase) {
        return record.filter(entry -> entry.phase() == phase).isPresent();
    }
}
