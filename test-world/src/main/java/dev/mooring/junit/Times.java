// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit;

import dev.mooring.simulation.world.CallFault;
import org.apiguardian.api.API;

/**
 * How many calls go wrong. Immutable.
 *
 * @param count at least 1; {@link Long#MAX_VALUE} without an end
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Times(long count) {
    /** Checks the number. */
    public Times {
        if (count < 1) {
            throw new IllegalArgumentException("at least one call goes wrong, not " + count);
        }
    }

    /**
     * The next call. The controllers try again soon, most after half a second of the wall clock, so what waits for it waits for that long
     * only: to look at it, let calls fail {@link #always}.
     */
    public static Times once() {
        return new Times(1);
    }

    /** The next so many calls. */
    public static Times times(long count) {
        return new Times(count);
    }

    /** Every call from now on, until {@link MooringWorld#endFaults}. */
    public static Times always() {
        return new Times(CallFault.ALWAYS);
    }
}
