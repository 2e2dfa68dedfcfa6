// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.virtual;

import dev.mooring.storage.spi.Outcome;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * How a call to a simulated back-end goes.
 *
 * @param outcome what it answers, at once; absent if it hangs, which ends as uncertain at the call's deadline
 * @param twice whether the answer arrives twice
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CallAnswer(Optional<Outcome<?>> outcome, boolean twice) {
    private static final CallAnswer HANGS = new CallAnswer(Optional.empty(), false);

    /** An answer at once. */
    public static CallAnswer of(Outcome<?> outcome) {
        return new CallAnswer(Optional.of(outcome), false);
    }

    /** An answer that arrives twice. */
    public static CallAnswer twice(Outcome<?> outcome) {
        return new CallAnswer(Optional.of(outcome), true);
    }

    /** No answer before the deadline. */
    public static CallAnswer hangs() {
        return HANGS;
    }
}
