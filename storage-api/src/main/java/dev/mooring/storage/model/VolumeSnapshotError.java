// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.time.Instant;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The last failure of a snapshot.
 *
 * @param time when
 * @param message for people
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record VolumeSnapshotError(Optional<Instant> time, Optional<String> message) {
    /** The same with another time. */
    public VolumeSnapshotError withTime(Optional<Instant> newTime) {
        return new VolumeSnapshotError(newTime, message);
    }

    /** The same with another message. */
    public VolumeSnapshotError withMessage(Optional<String> newMessage) {
        return new VolumeSnapshotError(time, newMessage);
    }
}
