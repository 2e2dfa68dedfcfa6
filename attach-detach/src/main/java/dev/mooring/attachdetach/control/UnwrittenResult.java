// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import java.util.Map;
import java.util.Optional;

/**
 * What is known of an attachment and does not stand in its object.
 *
 * @param answer what the plugin answered when it attached, as long as that is not written down
 * @param undone whether the plugin has detached it, as long as the object is there
 * @param cleared that it is said to be attached no more, since another Node has the name
 */
record UnwrittenResult(Optional<Map<String, String>> answer, boolean undone, Optional<Cleared> cleared) {
    static final UnwrittenResult NOTHING = new UnwrittenResult(Optional.empty(), false, Optional.empty());

    /**
     * The word that nothing is known to be attached, given when another Node had taken the name. What is said to be attached after it was
     * accepted is said of that Node, also if its uid is not written down yet: an attacher may be faster than the second write.
     *
     * @param uid the other Node's
     * @param accepted whether the store has it
     */
    record Cleared(String uid, boolean accepted) {}

    UnwrittenResult answered(Map<String, String> metadata) {
        return new UnwrittenResult(Optional.of(metadata), undone, cleared);
    }

    UnwrittenResult withoutAnswer() {
        return new UnwrittenResult(Optional.empty(), undone, cleared);
    }

    UnwrittenResult detached() {
        return new UnwrittenResult(Optional.empty(), true, cleared);
    }

    UnwrittenResult notDetached() {
        return new UnwrittenResult(answer, false, cleared);
    }

    /** It is being said that nothing is known to be attached to the Node that has the name now. */
    UnwrittenResult clearing(String uid) {
        return new UnwrittenResult(Optional.empty(), undone, Optional.of(new Cleared(uid, false)));
    }

    /** What has become of that. */
    UnwrittenResult cleared(boolean accepted) {
        return new UnwrittenResult(answer, undone, cleared.filter(c -> accepted).map(c -> new Cleared(c.uid(), true)));
    }

    /** Whether what is attached is attached to the Node of that uid, though the attachment speaks of an earlier one of its name. */
    boolean isClearedFor(String uid) {
        return cleared.filter(c -> c.accepted() && c.uid().equals(uid)).isPresent();
    }
}
