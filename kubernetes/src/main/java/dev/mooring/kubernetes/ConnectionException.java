// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import org.apiguardian.api.API;

/** There is no API server to use: the message says what is missing, for people. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ConnectionException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Makes one. */
    public ConnectionException(String message) {
        super(message);
    }
}
