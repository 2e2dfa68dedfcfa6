// SPDX-License-Identifier: Apache-2.0
package dev.mooring.controlplane;

import org.apiguardian.api.API;

/** An agent cannot begin: it does not know whose the mounts of its machine are, and would report volumes as not in use that are. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class UnknownMountsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With what a person needs to know. */
    public UnknownMountsException(String message) {
        super(message);
    }
}
