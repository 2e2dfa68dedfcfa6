// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;

/** Questions about outcomes. */
final class Outcomes {
    private Outcomes() {}

    /** Whether it was refused for a reason. */
    static boolean is(Outcome<?> outcome, Refusal refusal) {
        return outcome.match(
                done -> false,
                refused -> refused.refusal() == refusal,
                uncertain -> false,
                deferred -> false,
                elsewhere -> false);
    }
}
