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
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record VolumeError(Optional<Instant> time, String message) {
    /** The same with another time. */
    public VolumeError withTime(Optional<Instant> newTime) {
        return new VolumeError(newTime, message);
    }

    /** The same with another message. */
    public VolumeError withMessage(String newMessage) {
        return new VolumeError(time, newMessage);
    }
}
