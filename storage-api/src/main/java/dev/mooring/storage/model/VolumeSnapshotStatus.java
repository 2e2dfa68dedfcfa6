// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
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
@WithBuilder
public record VolumeSnapshotStatus(
        Optional<String> boundVolumeSnapshotContentName,
        Optional<Instant> creationTime,
        Optional<Boolean> readyToUse,
        Optional<Quantity> restoreSize,
        Optional<VolumeSnapshotError> error)
        implements VolumeSnapshotStatusBuilder.With {
    /** Nothing set. */
    public static final VolumeSnapshotStatus EMPTY = new VolumeSnapshotStatus(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
}
