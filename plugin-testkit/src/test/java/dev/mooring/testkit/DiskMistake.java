// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit;

import dev.mooring.testkit.rule.Rule;

/** What can be wrong with {@link DiskPlugin}, and which rule it breaks. */
enum DiskMistake {
    /** Breaks no rule. */
    NONE(Rule.CONSTANT_DESCRIPTION),
    /** All volumes are prepared in one place. */
    STAGES_IN_ONE_PLACE(Rule.OWN_PLACE_FOR_EACH_VOLUME),
    /** Devices are held outside of the plugin's own directory. */
    MAPS_OUTSIDE(Rule.OWN_PLACE_FOR_EACH_VOLUME),
    /** All volumes are the first device. */
    MAPS_THE_FIRST(Rule.ONE_DEVICE_PER_VOLUME),
    /** A device appears without having been staged. */
    MAPS_UNSTAGED(Rule.ONE_DEVICE_PER_VOLUME),
    /** A path is answered at which there is no device yet. */
    MAPS_WHAT_WILL_BE(Rule.ONE_DEVICE_PER_VOLUME),
    /** The first pod that goes takes the device with it. */
    UNMAPS_FOR_ALL(Rule.ONE_DEVICE_PER_VOLUME),
    /** Says that the node is fenced, and does nothing. */
    FENCES_NOTHING(Rule.FENCING_PROVEN),
    /** Fences the node that asks as well. */
    FENCES_ALL(Rule.FENCING_PROVEN),
    /** Out of time it says that the node is fenced. */
    FENCES_IN_NO_TIME(Rule.DEADLINE_OBEYED),
    /** What does not exist is fenced. */
    FENCES_THE_UNKNOWN(Rule.FENCING_PROVEN),
    /** Does not look at what the host answers. */
    FENCES_WITHOUT_LOOKING(Rule.FENCING_PROVEN),
    /** Every mount is a disk. */
    RECOGNISES_EVERYTHING(Rule.OWN_VOLUMES_RECONSTRUCTED),
    /** Every disk is the same one. */
    RECOGNISES_ANOTHER(Rule.OWN_VOLUMES_RECONSTRUCTED),
    /** Leaves something behind by looking. */
    RECOGNISES_AND_CHANGES(Rule.OWN_VOLUMES_RECONSTRUCTED),
    /** Ignores attributes that it does not know. */
    MODIFIES_WHAT_IT_KNOWS(Rule.ALL_ATTRIBUTES_OR_NONE),
    /** Refuses after having given some attributes. */
    MODIFIES_HALF(Rule.ALL_ATTRIBUTES_OR_NONE),
    /** Says that it had not begun. */
    MODIFIES_AND_DEFERS(Rule.ALL_ATTRIBUTES_OR_NONE),
    /** Out of time it says that all is done. */
    MODIFIES_IN_NO_TIME(Rule.DEADLINE_OBEYED),
    /** Says that it did. */
    MODIFIES_NOTHING(Rule.ALL_ATTRIBUTES_OR_NONE);

    private final Rule broken;

    DiskMistake(Rule broken) {
        this.broken = broken;
    }

    Rule broken() {
        return broken;
    }
}
