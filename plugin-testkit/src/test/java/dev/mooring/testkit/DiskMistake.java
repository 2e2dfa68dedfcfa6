// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit;

import dev.mooring.testkit.rule.Rule;

/** What can be wrong with {@link DiskPlugin}, and which rule it breaks. */
enum DiskMistake {
    /** Breaks no rule. */
    NONE(Rule.K01),
    /** All volumes are prepared in one place. */
    STAGES_IN_ONE_PLACE(Rule.K33),
    /** Devices are held outside of the plugin's own directory. */
    MAPS_OUTSIDE(Rule.K33),
    /** All volumes are the first device. */
    MAPS_THE_FIRST(Rule.K37),
    /** A device appears without having been staged. */
    MAPS_UNSTAGED(Rule.K37),
    /** A path is answered at which there is no device yet. */
    MAPS_WHAT_WILL_BE(Rule.K37),
    /** The first pod that goes takes the device with it. */
    UNMAPS_FOR_ALL(Rule.K37),
    /** Says that the node is fenced, and does nothing. */
    FENCES_NOBODY(Rule.K38),
    /** Fences the node that asks as well. */
    FENCES_ALL(Rule.K38),
    /** Out of time it says that the node is fenced. */
    FENCES_IN_NO_TIME(Rule.K15),
    /** What does not exist is fenced. */
    FENCES_THE_UNKNOWN(Rule.K38),
    /** Does not look at what the host answers. */
    FENCES_WITHOUT_LOOKING(Rule.K38),
    /** Every mount is a disk. */
    RECOGNISES_EVERYTHING(Rule.K39),
    /** Every disk is the same one. */
    RECOGNISES_ANOTHER(Rule.K39),
    /** Leaves something behind by looking. */
    RECOGNISES_AND_CHANGES(Rule.K39),
    /** Ignores attributes that it does not know. */
    MODIFIES_WHAT_IT_KNOWS(Rule.K40),
    /** Refuses after having given some attributes. */
    MODIFIES_HALF(Rule.K40),
    /** Says that it had not begun. */
    MODIFIES_AND_DEFERS(Rule.K40),
    /** Out of time it says that all is done. */
    MODIFIES_IN_NO_TIME(Rule.K15),
    /** Says that it did. */
    MODIFIES_NOTHING(Rule.K40);

    private final Rule broken;

    DiskMistake(Rule broken) {
        this.broken = broken;
    }

    Rule broken() {
        return broken;
    }
}
