// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import dev.mooring.simulation.virtual.ProcessDeath;

/** How a device looks to a machine during one call. */
enum Sight {
    /** It shows what is on it. */
    CLEAR,
    /** It cannot be read, and the tool that looks for signatures does not say so: it says what it says of a blank device. */
    MUTE,
    /** It cannot be read, and the tool complains. */
    UNREADABLE,
    /** The tool recognises more than one content. */
    AMBIGUOUS,
    /** The tool does not come to its end. */
    SLOW,
    /** It is not there yet but for its name: without a size, and whatever is read of it is zero. */
    HOLLOW;

    /**
     * What a fault of looking at a device does.
     *
     * @throws ProcessDeath if it is the death of who looks
     */
    static Sight of(CallFault.Outcome fault) {
        return switch (fault) {
            case CRASH_BEFORE, CRASH_AFTER -> throw new ProcessDeath("a crash at the look at a device was declared");
            case UNCERTAIN, UNCERTAIN_APPLIED -> MUTE;
            case DEFERRED -> UNREADABLE;
            case REFUSED, IN_USE_ELSEWHERE -> AMBIGUOUS;
            case HANG, HANG_APPLIED -> SLOW;
            case LIE -> HOLLOW;
            case TWICE -> CLEAR;
        };
    }
}
