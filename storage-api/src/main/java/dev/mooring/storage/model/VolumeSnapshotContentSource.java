// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What a content stands for: one of the two is set.
 *
 * @param volumeHandle the volume of which a snapshot is made
 * @param snapshotHandle the snapshot that exists
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record VolumeSnapshotContentSource(Optional<String> volumeHandle, Optional<String> snapshotHandle)
        implements VolumeSnapshotContentSourceBuilder.With {
    /** Nothing set. */
    public static final VolumeSnapshotContentSource EMPTY =
            new VolumeSnapshotContentSource(Optional.empty(), Optional.empty());
}
