// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import org.apiguardian.api.API;

/**
 * What kinds of faults strike a world; each is counted. The first three are the perturbations of Sieve (OSDI'22): a controller must bear
 * to be stopped between any two of its effects, to see an old state, and not to see a state at all.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum FaultClass {
    /** A process dies before or after an effect, is restarted, or hands over while its writes are on their way. */
    INTERMEDIATE_STATES,
    /** Caches lag behind, or are shown old news again. */
    STALE_STATES,
    /** News are lost: only what came of them is listed. */
    UNOBSERVED_STATES,
    /** The store answers with conflicts, is away, or its answer is lost. */
    STORE,
    /** Back-ends refuse, hang, lie, apply late, or answer twice. */
    BACKENDS,
    /** Machines go down, with and without evidence; clocks jump. */
    MACHINES
}
