// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
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
@WithBuilder
public record VolumeSnapshotContentStatus(
        Optional<String> snapshotHandle,
        Optional<Long> creationTime,
        Optional<Long> restoreSize,
        Optional<Boolean> readyToUse,
        Optional<VolumeSnapshotError> error)
        implements VolumeSnapshotContentStatusBuilder.With {
    /** Nothing set. */
    public static final VolumeSnapshotContentStatus EMPTY = new VolumeSnapshotContentStatus(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
}
