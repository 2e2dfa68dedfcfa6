// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.time.Instant;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What has become of a snapshot.
 *
 * @param boundVolumeSnapshotContentName the content that it is bound to
 * @param creationTime of which moment it is
 * @param readyToUse whether a volume can be made from it
 * @param restoreSize the least size of such a volume
 * @param error the last failure; absent if all is well
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record VolumeSnapshotStatus(
        Optional<String> boundVolumeSnapshotContentName,
        Optional<Instant> creationTime,
        Optional<Boolean> readyToUse,
        Optional<Quantity> restoreSize,
        Optional<VolumeSnapshotError> error) {
    /** Nothing set. */
    public static final VolumeSnapshotStatus EMPTY = new VolumeSnapshotStatus(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /** The same with another boundVolumeSnapshotContentName. */
    public VolumeSnapshotStatus withBoundVolumeSnapshotContentName(Optional<String> newBoundVolumeSnapshotContentName) {
        return new VolumeSnapshotStatus(
                newBoundVolumeSnapshotContentName, creationTime, readyToUse, restoreSize, error);
    }

    /** The same with another creationTime. */
    public VolumeSnapshotStatus withCreationTime(Optional<Instant> newCreationTime) {
        return new VolumeSnapshotStatus(
                boundVolumeSnapshotContentName, newCreationTime, readyToUse, restoreSize, error);
    }

    /** The same with another readyToUse. */
    public VolumeSnapshotStatus withReadyToUse(Optional<Boolean> newReadyToUse) {
        return new VolumeSnapshotStatus(
                boundVolumeSnapshotContentName, creationTime, newReadyToUse, restoreSize, error);
    }

    /** The same with another restoreSize. */
    public VolumeSnapshotStatus withRestoreSize(Optional<Quantity> newRestoreSize) {
        return new VolumeSnapshotStatus(
                boundVolumeSnapshotContentName, creationTime, readyToUse, newRestoreSize, error);
    }

    /** The same with another error. */
    public VolumeSnapshotStatus withError(Optional<VolumeSnapshotError> newError) {
        return new VolumeSnapshotStatus(
                boundVolumeSnapshotContentName, creationTime, readyToUse, restoreSize, newError);
    }
}
