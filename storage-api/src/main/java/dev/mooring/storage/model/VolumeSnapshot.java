// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A user's snapshot of a claim's volume.
 *
 * @param metadata metadata
 * @param spec what is wanted
 * @param status what has become of it; absent at first
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record VolumeSnapshot(ObjectMeta metadata, VolumeSnapshotSpec spec, Optional<VolumeSnapshotStatus> status)
        implements KubernetesObject {
    /** The same with another metadata. */
    public VolumeSnapshot withMetadata(ObjectMeta newMetadata) {
        return new VolumeSnapshot(newMetadata, spec, status);
    }

    /** The same with another spec. */
    public VolumeSnapshot withSpec(VolumeSnapshotSpec newSpec) {
        return new VolumeSnapshot(metadata, newSpec, status);
    }

    /** The same with another status. */
    public VolumeSnapshot withStatus(Optional<VolumeSnapshotStatus> newStatus) {
        return new VolumeSnapshot(metadata, spec, newStatus);
    }
}
