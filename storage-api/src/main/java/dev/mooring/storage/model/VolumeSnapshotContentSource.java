// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What a content stands for: one of the two is set.
 *
 * @param volumeHandle the volume of which a snapshot is made
 * @param snapshotHandle the snapshot that exists
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record VolumeSnapshotContentSource(Optional<String> volumeHandle, Optional<String> snapshotHandle) {
    /** Nothing set. */
    public static final VolumeSnapshotContentSource EMPTY =
            new VolumeSnapshotContentSource(Optional.empty(), Optional.empty());

    /** The same with another volumeHandle. */
    public VolumeSnapshotContentSource withVolumeHandle(Optional<String> newVolumeHandle) {
        return new VolumeSnapshotContentSource(newVolumeHandle, snapshotHandle);
    }

    /** The same with another snapshotHandle. */
    public VolumeSnapshotContentSource withSnapshotHandle(Optional<String> newSnapshotHandle) {
        return new VolumeSnapshotContentSource(volumeHandle, newSnapshotHandle);
    }
}
