// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What a user wants of a snapshot.
 *
 * @param source what it is of
 * @param volumeSnapshotClassName how it is made; absent for the default class of the driver
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record VolumeSnapshotSpec(VolumeSnapshotSource source, Optional<String> volumeSnapshotClassName)
        implements VolumeSnapshotSpecBuilder.With {
    /** Nothing set. */
    public static final VolumeSnapshotSpec EMPTY = new VolumeSnapshotSpec(VolumeSnapshotSource.EMPTY, Optional.empty());
}
