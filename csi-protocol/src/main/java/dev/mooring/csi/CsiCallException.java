// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi;

import org.apiguardian.api.API;

/** A call to a driver did not end with OK. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CsiCallException extends Exception {
    private static final long serialVersionUID = 1;

    private final CsiStatus status;

    CsiCallException(CsiStatus status) {
        super(status.toString());
        this.status = status;
    }

    /** How it ended. */
    public CsiStatus status() {
        return status;
    }
}
