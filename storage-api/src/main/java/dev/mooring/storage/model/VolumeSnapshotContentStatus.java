// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What is known of a snapshot in the back-end.
 *
 * @param snapshotHandle its name there
 * @param creationTime of which moment it is, in nanoseconds since 1970
 * @param restoreSize the least size of a volume made from it, in bytes
 * @param readyToUse whether a volume can be made from it
 * @param error the last failure; absent if all is well
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record VolumeSnapshotContentStatus(
        Optional<String> snapshotHandle,
        Optional<Long> creationTime,
        Optional<Long> restoreSize,
        Optional<Boolean> readyToUse,
        Optional<VolumeSnapshotError> error) {
    /** Nothing set. */
    public static final VolumeSnapshotContentStatus EMPTY = new VolumeSnapshotContentStatus(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /** The same with another snapshotHandle. */
    public VolumeSnapshotContentStatus withSnapshotHandle(Optional<String> newSnapshotHandle) {
        return new VolumeSnapshotContentStatus(newSnapshotHandle, creationTime, restoreSize, readyToUse, error);
    }

    /** The same with another creationTime. */
    public VolumeSnapshotContentStatus withCreationTime(Optional<Long> newCreationTime) {
        return new VolumeSnapshotContentStatus(snapshotHandle, newCreationTime, restoreSize, readyToUse, error);
    }

    /** The same with another restoreSize. */
    public VolumeSnapshotContentStatus withRestoreSize(Optional<Long> newRestoreSize) {
        return new VolumeSnapshotContentStatus(snapshotHandle, creationTime, newRestoreSize, readyToUse, error);
    }

    /** The same with another readyToUse. */
    public VolumeSnapshotContentStatus withReadyToUse(Optional<Boolean> newReadyToUse) {
        return new VolumeSnapshotContentStatus(snapshotHandle, creationTime, restoreSize, newReadyToUse, error);
    }

    /** The same with another error. */
    public VolumeSnapshotContentStatus withError(Optional<VolumeSnapshotError> newError) {
        return new VolumeSnapshotContentStatus(snapshotHandle, creationTime, restoreSize, readyToUse, newError);
    }
}
