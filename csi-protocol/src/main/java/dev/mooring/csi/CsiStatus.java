// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi;

import io.grpc.Status;
import java.io.Serializable;
import org.apiguardian.api.API;

/**
 * How a call that was not answered with OK ended. Immutable.
 *
 * @param code gRPC's code, never {@code OK}
 * @param message for people: the driver's own words if it answered, else what happened here. One line of at most
 *     {@value #MAX_MESSAGE} characters, never empty
 * @param origin whose code it is, and what the driver may have done
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CsiStatus(Status.Code code, String message, Origin origin) implements Serializable {
    /** The length of the longest message, in characters. */
    public static final int MAX_MESSAGE = 1024;

    private static final long serialVersionUID = 1;

    /** Makes the message one line, and shortens it. */
    public CsiStatus {
        message = WireText.oneLine(message, MAX_MESSAGE);
        if (message.isBlank()) {
            message = "no message";
        }
    }

    /** Whose code a status has. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public enum Origin {
        /** The driver answered with this code. */
        DRIVER,
        /** The call never left this process, so the driver has not begun it: no process listens, or the request is too large. */
        NOT_SENT,
        /** The call was sent and no answer came: deadline, cancellation, a lost connection, an answer that is too large. */
        UNANSWERED
    }

    /** Whether the driver has certainly not begun the call. */
    public boolean neverBegun() {
        return origin == Origin.NOT_SENT;
    }

    /** {@code UNAVAILABLE: words of the driver}. */
    @Override
    public String toString() {
        return code + ": " + message;
    }
}
