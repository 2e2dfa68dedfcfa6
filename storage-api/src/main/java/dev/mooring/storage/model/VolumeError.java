// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.time.Instant;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The last failure of an attachment.
 *
 * @param time when
 * @param message for people
 * @param errorCode the code of gRPC for it, if there is one; 8 tells a node that it has no room for more attachments (semantics/
 *     attach-and-mount §1.13)
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record VolumeError(Optional<Instant> time, String message, Optional<Long> errorCode) {
    /** The same with another time. */
    public VolumeError withTime(Optional<Instant> newTime) {
        return new VolumeError(newTime, message, errorCode);
    }

    /** The same with another message. */
    public VolumeError withMessage(String newMessage) {
        return new VolumeError(time, newMessage, errorCode);
    }

    /** The same with another errorCode. */
    public VolumeError withErrorCode(Optional<Long> newErrorCode) {
        return new VolumeError(time, message, newErrorCode);
    }
}
