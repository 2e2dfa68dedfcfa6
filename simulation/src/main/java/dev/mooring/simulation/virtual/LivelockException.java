// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.virtual;

import org.apiguardian.api.API;

/** A world did not come to rest. The message names the keys that were decided most often. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@SuppressWarnings("serial") // never written anywhere
public final class LivelockException extends RuntimeException {
    /**
     * Makes the exception.
     *
     * @param message how much was done, and by which controllers
     */
    public LivelockException(String message) {
        super(message);
    }
}
