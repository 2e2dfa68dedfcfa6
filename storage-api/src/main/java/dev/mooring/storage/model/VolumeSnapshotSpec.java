// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What a user wants of a snapshot.
 *
 * @param source what it is of
 * @param volumeSnapshotClassName how it is made; absent for the default class of the driver
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record VolumeSnapshotSpec(VolumeSnapshotSource source, Optional<String> volumeSnapshotClassName) {
    /** Nothing set. */
    public static final VolumeSnapshotSpec EMPTY = new VolumeSnapshotSpec(VolumeSnapshotSource.EMPTY, Optional.empty());

    /** The same with another source. */
    public VolumeSnapshotSpec withSource(VolumeSnapshotSource newSource) {
        return new VolumeSnapshotSpec(newSource, volumeSnapshotClassName);
    }

    /** The same with another volumeSnapshotClassName. */
    public VolumeSnapshotSpec withVolumeSnapshotClassName(Optional<String> newVolumeSnapshotClassName) {
        return new VolumeSnapshotSpec(source, newVolumeSnapshotClassName);
    }
}
