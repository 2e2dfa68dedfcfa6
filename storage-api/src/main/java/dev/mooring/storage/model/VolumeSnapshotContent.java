// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A snapshot in a back-end.
 *
 * @param metadata metadata
 * @param spec what it is
 * @param status what is known of it; absent at first
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record VolumeSnapshotContent(
        ObjectMeta metadata, VolumeSnapshotContentSpec spec, Optional<VolumeSnapshotContentStatus> status)
        implements KubernetesObject {
    /** The same with another metadata. */
    public VolumeSnapshotContent withMetadata(ObjectMeta newMetadata) {
        return new VolumeSnapshotContent(newMetadata, spec, status);
    }

    /** The same with another spec. */
    public VolumeSnapshotContent withSpec(VolumeSnapshotContentSpec newSpec) {
        return new VolumeSnapshotContent(metadata, newSpec, status);
    }

    /** The same with another status. */
    public VolumeSnapshotContent withStatus(Optional<VolumeSnapshotContentStatus> newStatus) {
        return new VolumeSnapshotContent(metadata, spec, newStatus);
    }
}
