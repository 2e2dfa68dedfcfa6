// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.runtime.control.Effect;
import java.util.List;

/**
 * What comes next in a bind.
 *
 * @param kind whether it goes on
 * @param progress how far it is
 * @param effects what to write; those that undo something if it failed
 * @param message why it failed; empty if it did not
 */
record BindStep(Kind kind, BindProgress progress, List<Effect> effects, String message) {
    enum Kind {
        /** There is something to write, or to wait for. */
        GOES_ON,
        /** All claims are bound. */
        BOUND,
        /** They will not be, or not in time. */
        FAILED
    }

    BindStep {
        effects = List.copyOf(effects);
    }

    static BindStep goesOn(BindProgress progress, List<Effect> effects) {
        return new BindStep(Kind.GOES_ON, progress, effects, "");
    }

    static BindStep bound(BindProgress progress) {
        return new BindStep(Kind.BOUND, progress, List.of(), "");
    }

    static BindStep failed(BindProgress progress, String message, List<Effect> effects) {
        return new BindStep(Kind.FAILED, progress, effects, message);
    }
}
