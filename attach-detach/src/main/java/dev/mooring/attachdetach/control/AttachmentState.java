// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.attachdetach.control.Attachments.Reservation;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Time;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is remembered of an attachment beside what stands in its object; all of it may be forgotten.
 *
 * @param creating what the creation under way occupies, or one whose answer was lost
 * @param lost the creation whose answer was lost, as long as it may still reach the store
 * @param unannounced whether pods are still to be told when it is attached
 * @param answer what the plugin answered when it attached, as long as that is not written down
 * @param undone whether the plugin has detached it, as long as the object is there
 * @param cleared that it is said to be attached no more, since another Node has the name
 * @param told what people were told last, by whom it was told
 */
record AttachmentState(
        Optional<Reservation> creating,
        Optional<Loss> lost,
        boolean unannounced,
        Optional<Map<String, String>> answer,
        boolean undone,
        Optional<Cleared> cleared,
        Map<String, String> told)
        implements KeyState {
    static final AttachmentState NONE = new AttachmentState(
            Optional.empty(), Optional.empty(), false, Optional.empty(), false, Optional.empty(), Map.of());

    /**
     * The word that nothing is known to be attached, given when another Node had taken the name. What is said to be attached after it was
     * accepted is said of that Node, also if its uid is not written down yet: an attacher may be faster than the second write.
     *
     * @param uid the other Node's
     * @param accepted whether the store has it
     */
    record Cleared(String uid, boolean accepted) {}

    /**
     * A creation whose answer was lost: it may still make the object when nobody expects it, and the object occupies the slot (S1).
     *
     * @param sinceNanos when the answer was lost
     * @param retried whether the object that is there may be that of a later try
     */
    record Loss(long sinceNanos, boolean retried) {
        private static final Duration LAST = Defaults.STORE_TIME_LIMIT.multipliedBy(4);

        /** How long until it surely comes no more. */
        Duration left(Time now) {
            Duration left = LAST.minusNanos(now.monotonicNanos() - sinceNanos);
            return left.isNegative() ? Duration.ZERO : left;
        }
    }

    AttachmentState creating(Reservation reservation) {
        Optional<Loss> before = lost.map(loss -> new Loss(loss.sinceNanos(), true));
        return new AttachmentState(Optional.of(reservation), before, true, answer, undone, cleared, told);
    }

    /** The object is there. A creation that was lost fails as long as it is; it may come when the object has gone. */
    AttachmentState created(Time now) {
        boolean mayCome =
                lost.filter(loss -> loss.retried() && !loss.left(now).isZero()).isPresent();
        return new AttachmentState(
                mayCome ? creating : Optional.empty(),
                mayCome ? lost : Optional.empty(),
                unannounced,
                answer,
                undone,
                cleared,
                told);
    }

    /** Nothing but the creation that was lost. */
    AttachmentState ofLoss() {
        return new AttachmentState(creating, lost, false, Optional.empty(), false, Optional.empty(), Map.of());
    }

    /** There is no object: of an earlier one nothing holds but what people were told, and what may still come. */
    AttachmentState ofNoObject(Optional<EffectResult> creation, Time now) {
        boolean lostNow = creation.flatMap(EffectResult::storeFailure)
                .filter(Failure.UNKNOWN::equals)
                .isPresent();
        Optional<Loss> mayCome = lostNow
                ? Optional.of(new Loss(now.monotonicNanos(), lost.isPresent()))
                : lost.filter(loss -> !loss.left(now).isZero());
        Optional<Reservation> held = mayCome.isPresent() ? creating : Optional.empty();
        return new AttachmentState(held, mayCome, false, Optional.empty(), false, Optional.empty(), told);
    }

    /** What was detached for an attachment that is not to be detached was another one of its name. */
    AttachmentState in(Phase phase) {
        return undone && phase != Phase.DETACHING
                ? new AttachmentState(creating, lost, unannounced, answer, false, cleared, told)
                : this;
    }

    AttachmentState unannounced(boolean now) {
        return new AttachmentState(creating, lost, now, answer, undone, cleared, told);
    }

    AttachmentState answered(Map<String, String> metadata) {
        return new AttachmentState(creating, lost, true, Optional.of(metadata), undone, cleared, told);
    }

    AttachmentState withoutAnswer() {
        return new AttachmentState(creating, lost, unannounced, Optional.empty(), undone, cleared, told);
    }

    AttachmentState detached() {
        return new AttachmentState(creating, lost, unannounced, Optional.empty(), true, cleared, told);
    }

    /** It is being said that nothing is known to be attached to the Node that has the name now. */
    AttachmentState clearing(String uid) {
        return new AttachmentState(
                creating, lost, unannounced, Optional.empty(), undone, Optional.of(new Cleared(uid, false)), told);
    }

    /** What has become of that. */
    AttachmentState cleared(boolean accepted) {
        Optional<Cleared> now = cleared.filter(c -> accepted).map(c -> new Cleared(c.uid(), true));
        return new AttachmentState(creating, lost, unannounced, answer, undone, now, told);
    }

    /** Whether what is attached is attached to the Node of that uid, though the attachment speaks of an earlier one of its name. */
    boolean isClearedFor(String uid) {
        return cleared.filter(c -> c.accepted() && c.uid().equals(uid)).isPresent();
    }

    AttachmentState telling(Map<String, String> now) {
        return new AttachmentState(creating, lost, unannounced, answer, undone, cleared, new TreeMap<>(now));
    }

    /** Absent if there is nothing to remember. */
    Optional<KeyState> orForget() {
        return equals(NONE) ? Optional.empty() : Optional.of(this);
    }
}
