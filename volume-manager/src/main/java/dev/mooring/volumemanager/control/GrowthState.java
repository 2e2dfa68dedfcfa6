// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.control.KeyState;
import dev.mooring.storage.model.Quantity;
import java.util.Optional;

/**
 * What the agent knows of the size of a volume that is used here.
 *
 * @param known how large this node has made or found it
 * @param failure why the last call was refused, until it is shown or another size is wanted
 * @param blocked a size for which the node does not try again before the volume is prepared again
 * @param told the last news about a failure; empty if there is none
 */
record GrowthState(Quantity known, Optional<Failure> failure, Optional<Quantity> blocked, String told)
        implements KeyState {
    /**
     * A refusal.
     *
     * @param target the size that was refused
     * @param infeasible whether it will be refused again until something else is asked for
     * @param why for people
     */
    record Failure(Quantity target, boolean infeasible, String why) {}

    /** A volume that was found with a size. */
    static GrowthState found(Quantity size) {
        return new GrowthState(size, Optional.empty(), Optional.empty(), "");
    }

    GrowthState grown(Quantity size) {
        return new GrowthState(size.compareTo(known) > 0 ? size : known, Optional.empty(), Optional.empty(), "");
    }

    GrowthState refused(Failure why) {
        return new GrowthState(known, Optional.of(why), blocked, told);
    }

    GrowthState shown() {
        return new GrowthState(known, Optional.empty(), blocked, told);
    }

    GrowthState blocked(Quantity target) {
        return new GrowthState(known, Optional.empty(), Optional.of(target), told);
    }

    GrowthState telling(String message) {
        return new GrowthState(known, failure, blocked, message);
    }
}
