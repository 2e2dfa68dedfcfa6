// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.attachdetach.control.ActualAttachments.Reservation;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Time;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is remembered of an attachment beside what stands in its object; all of it may be forgotten.
 *
 * @param creation how its object is being made
 * @param unshown what is known that the object does not show
 * @param unannounced whether pods are still to be told when it is attached
 * @param told the last message of an event, by its pod
 * @param compared when it was last compared with what its storage says; absent if it never was
 */
record AttachmentState(
        Creation creation,
        UnwrittenResult unshown,
        boolean unannounced,
        Map<String, String> told,
        Optional<AttachmentComparison> compared)
        implements KeyState {
    static final AttachmentState NONE =
            new AttachmentState(Creation.NONE, UnwrittenResult.NOTHING, false, Map.of(), Optional.empty());

    AttachmentState creating(Reservation reservation) {
        return new AttachmentState(creation.asking(reservation), unshown, true, told, compared);
    }

    /** The object is there. */
    AttachmentState created(Time now) {
        return new AttachmentState(creation.succeeded(now), unshown, unannounced, told, compared);
    }

    /** Nothing but the creation that was lost. */
    AttachmentState ofLoss() {
        return new AttachmentState(creation, UnwrittenResult.NOTHING, false, Map.of(), Optional.empty());
    }

    /** There is no object: of an earlier one nothing holds but what people were told, and what may still come. */
    AttachmentState ofNoObject(Situation situation) {
        Optional<EffectResult> created = situation.resultOf(AttachmentOperations.CREATE);
        boolean looked = situation
                .resultOf(AttachmentOperations.CONFIRM)
                .filter(result -> result.storeFailure().equals(Optional.of(Failure.NOT_FOUND)))
                .isPresent();
        return new AttachmentState(
                creation.withoutObject(created, looked, situation.now()),
                UnwrittenResult.NOTHING,
                false,
                told,
                Optional.empty());
    }

    /** What was detached for an attachment that is not to be detached was another one of its name. */
    AttachmentState in(Phase phase) {
        return phase == Phase.DETACHING ? this : with(unshown.notDetached());
    }

    AttachmentState answered(Map<String, String> metadata) {
        return with(unshown.answered(metadata)).toAnnounce();
    }

    AttachmentState withoutAnswer() {
        return with(unshown.withoutAnswer());
    }

    AttachmentState with(UnwrittenResult other) {
        return new AttachmentState(creation, other, unannounced, told, compared);
    }

    /** Pods are to be told when it is attached. */
    AttachmentState toAnnounce() {
        return new AttachmentState(creation, unshown, true, told, compared);
    }

    AttachmentState telling(Map<String, String> now) {
        return new AttachmentState(creation, unshown, unannounced, new TreeMap<>(now), compared);
    }

    /** What is remembered of an attachment that stays: when it was compared, and a creation that was lost. */
    AttachmentState staying(AttachmentComparison comparison) {
        return new AttachmentState(
                creation.lost().isPresent() ? creation : Creation.NONE,
                UnwrittenResult.NOTHING,
                false,
                Map.of(),
                Optional.of(comparison));
    }

    /** Absent if there is nothing to remember. */
    Optional<KeyState> orForget() {
        return equals(NONE) ? Optional.empty() : Optional.of(this);
    }
}
