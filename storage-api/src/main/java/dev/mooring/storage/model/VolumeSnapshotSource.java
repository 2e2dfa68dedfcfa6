// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What a snapshot is of: one of the two is set.
 *
 * @param persistentVolumeClaimName the claim of which a snapshot is made
 * @param volumeSnapshotContentName the content that stands for a snapshot which exists
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record VolumeSnapshotSource(
        Optional<String> persistentVolumeClaimName, Optional<String> volumeSnapshotContentName) {
    /** Nothing set. */
    public static final VolumeSnapshotSource EMPTY = new VolumeSnapshotSource(Optional.empty(), Optional.empty());

    /** The same with another persistentVolumeClaimName. */
    public VolumeSnapshotSource withPersistentVolumeClaimName(Optional<String> newPersistentVolumeClaimName) {
        return new VolumeSnapshotSource(newPersistentVolumeClaimName, volumeSnapshotContentName);
    }

    /** The same with another volumeSnapshotContentName. */
    public VolumeSnapshotSource withVolumeSnapshotContentName(Optional<String> newVolumeSnapshotContentName) {
        return new VolumeSnapshotSource(persistentVolumeClaimName, newVolumeSnapshotContentName);
    }
}
