// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.attachdetach.control.Attachments.Reservation;
import dev.mooring.runtime.control.KeyState;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is remembered of an attachment beside what stands in its object; all of it may be forgotten.
 *
 * @param creating what the creation under way occupies
 * @param unannounced whether pods are still to be told when it is attached
 * @param answer what the plugin answered when it attached, as long as that is not written down
 * @param undone whether the plugin has detached it, as long as the object is there
 * @param told what people were told last, by whom it was told
 */
record AttachmentState(
        Optional<Reservation> creating,
        boolean unannounced,
        Optional<Map<String, String>> answer,
        boolean undone,
        Map<String, String> told)
        implements KeyState {
    static final AttachmentState NONE = new AttachmentState(Optional.empty(), false, Optional.empty(), false, Map.of());

    AttachmentState creating(Reservation reservation) {
        return new AttachmentState(Optional.of(reservation), true, answer, undone, told);
    }

    /** The creation has been answered. */
    AttachmentState created() {
        return new AttachmentState(Optional.empty(), unannounced, answer, undone, told);
    }

    /** There is no object: of an earlier one nothing holds but what people were told. */
    AttachmentState ofNoObject() {
        return NONE.telling(told);
    }

    /** What was detached for an attachment that is not to be detached was another one of its name. */
    AttachmentState in(Phase phase) {
        return undone && phase != Phase.DETACHING
                ? new AttachmentState(creating, unannounced, answer, false, told)
                : this;
    }

    AttachmentState unannounced(boolean now) {
        return new AttachmentState(creating, now, answer, undone, told);
    }

    AttachmentState answered(Map<String, String> metadata) {
        return new AttachmentState(creating, true, Optional.of(metadata), undone, told);
    }

    AttachmentState withoutAnswer() {
        return new AttachmentState(creating, unannounced, Optional.empty(), undone, told);
    }

    AttachmentState detached() {
        return new AttachmentState(creating, unannounced, Optional.empty(), true, told);
    }

    AttachmentState telling(Map<String, String> now) {
        return new AttachmentState(creating, unannounced, answer, undone, new TreeMap<>(now));
    }

    /** Absent if there is nothing to remember. */
    Optional<KeyState> orForget() {
        return equals(NONE) ? Optional.empty() : Optional.of(this);
    }
}
