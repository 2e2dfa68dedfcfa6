// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What a snapshot is of: one of the two is set.
 *
 * @param persistentVolumeClaimName the claim of which a snapshot is made
 * @param volumeSnapshotContentName the content that stands for a snapshot which exists
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record VolumeSnapshotSource(
        Optional<String> persistentVolumeClaimName, Optional<String> volumeSnapshotContentName)
        implements VolumeSnapshotSourceBuilder.With {
    /** Nothing set. */
    public static final VolumeSnapshotSource EMPTY = new VolumeSnapshotSource(Optional.empty(), Optional.empty());
}
