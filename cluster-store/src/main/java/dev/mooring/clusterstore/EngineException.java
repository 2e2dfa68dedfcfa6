// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import org.apiguardian.api.API;

/** The medium of an engine failed. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class EngineException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** See {@link #maybeApplied()}. */
    private final boolean maybeApplied;

    /**
     * Makes the exception.
     *
     * @param message for people; never null
     * @param cause what the medium reported; never null
     * @param maybeApplied false if the step that was asked for surely left no trace
     */
    public EngineException(String message, Throwable cause, boolean maybeApplied) {
        super(message, cause);
        this.maybeApplied = maybeApplied;
    }

    /** Whether the step may still have been made. */
    public boolean maybeApplied() {
        return maybeApplied;
    }
}
