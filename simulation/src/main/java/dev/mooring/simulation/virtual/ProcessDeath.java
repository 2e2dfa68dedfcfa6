// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.virtual;

import org.apiguardian.api.API;

/**
 * Thrown out of a store or call handler to let the process that is at work die at this very point. The world catches it and starts
 * the process again with nothing in memory.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@SuppressWarnings("serial") // never written anywhere
public final class ProcessDeath extends RuntimeException {
    /**
     * Makes the signal.
     *
     * @param message why the process dies
     */
    public ProcessDeath(String message) {
        super(message, null, false, false);
    }
}
