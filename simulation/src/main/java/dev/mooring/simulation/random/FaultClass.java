// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.simulation.world.Strikes.Strike;
import org.apiguardian.api.API;

/**
 * What kinds of faults strike a world; each is counted when it strikes, not when it is declared: a declared fault of a write that never
 * comes is no fault. The first three are the perturbations of Sieve (OSDI'22): a controller must bear to be stopped between any two of its
 * effects, to see an old state, and not to see a state at all.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum FaultClass {
    /** A process that lives dies before or after an effect, is restarted or stopped, or hands over while its writes are on their way. */
    INTERMEDIATE_STATES(Strike.INTERRUPTION),
    /** Watch events come late, are shown again, or are missing in a first list. */
    STALE_STATES(Strike.STALE_NEWS),
    /** Watch events are lost: a later list shows only their result. */
    UNOBSERVED_STATES(Strike.LOST_NEWS),
    /** The store answers with conflicts, is away, or its answer is lost. */
    STORE(Strike.WRITE),
    /** Back-ends refuse, hang, lie, apply late, or answer twice. */
    BACKENDS(Strike.CALL),
    /** Running machines go down, and clocks jump. A taint that says so, truly or not, is not counted. */
    MACHINES(Strike.MACHINE);

    private final Strike strike;

    FaultClass(Strike strike) {
        this.strike = strike;
    }

    /** By what it is counted. */
    Strike strike() {
        return strike;
    }
}
