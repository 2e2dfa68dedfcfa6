// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.spi.PluginState;
import java.util.Optional;

/**
 * What the agent knows of one volume of one pod. All of it but the record may be forgotten in a crash.
 *
 * @param progress how far it has come
 * @param untouched whether no call made since INTENT can have had an effect: the next publish is the first one
 * @param podGone whether a live read has shown that the pod's object is gone
 * @param told the last reason for not mounting that people were told; empty if there is none
 * @param need what the pod needs, if it needs it and could have it
 */
record PodVolumeState(
        RecordProgress<Publish> progress, boolean untouched, boolean podGone, String told, Optional<VolumeNeed> need)
        implements RecordedState<Publish, PodVolumeState> {
    /** Nothing is known. */
    static final PodVolumeState NONE = of(Optional.empty());

    /** What is known at the start: a record that says INTENT may have had its call. */
    static PodVolumeState of(Optional<Publish> record) {
        return new PodVolumeState(RecordProgress.of(record), false, false, "", Optional.empty());
    }

    /**
     * What may be there: never less than what a replay of the log would show, and not DONE before a look has shown that it is
     * still there: no pod shall run on a bare directory.
     */
    Optional<Publish> standing() {
        return record().map(entry ->
                        entry.phase() == RecordPhase.DONE && !progress.trusted() ? entry.in(RecordPhase.INTENT) : entry)
                .or(this::appending);
    }

    private PodVolumeState at(RecordProgress<Publish> now) {
        return new PodVolumeState(now, untouched, podGone, told, need);
    }

    @Override
    public PodVolumeState appending(Publish entry) {
        return at(progress.withAppending(entry));
    }

    /** The append has been confirmed. */
    PodVolumeState appended(Publish entry) {
        boolean changed = entry.phase() == RecordPhase.DONE || entry.phase() == RecordPhase.UNDO;
        return new PodVolumeState(
                progress.appended(entry), entry.phase() == RecordPhase.INTENT, podGone, changed ? "" : told, need);
    }

    /** A publish succeeded. */
    PodVolumeState published(PluginState state) {
        return new PodVolumeState(progress.answered(state), false, podGone, told, need);
    }

    /** A publish did not succeed; if it may have had an effect, the next one is a recovery. */
    PodVolumeState notPublished(boolean surelyNoEffect) {
        return new PodVolumeState(progress.unanswered(), untouched && surelyNoEffect, podGone, told, need);
    }

    /** An unpublish succeeded. */
    PodVolumeState unpublished() {
        return at(progress.withUndone());
    }

    /** A live read has shown that the pod's object is gone; a uid never comes back. */
    PodVolumeState withPodGone() {
        return new PodVolumeState(progress, untouched, true, told, need);
    }

    /** People are told why nothing is mounted. */
    PodVolumeState telling(String message) {
        return new PodVolumeState(progress, untouched, podGone, message, need);
    }

    /** What the pod needs now. */
    PodVolumeState needing(Optional<VolumeNeed> now) {
        return new PodVolumeState(progress, untouched, podGone, told, now);
    }

    @Override
    public PodVolumeState trust() {
        return at(progress.withTrust(true));
    }

    /** What is recorded as DONE has to be looked for again. */
    PodVolumeState distrust() {
        return at(progress.withTrust(false));
    }

    /** Whether the record, if there is one, is in that phase. */
    boolean is(RecordPhase phase) {
        return record().filter(entry -> entry.phase() == phase).isPresent();
    }
}
