// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
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
@WithBuilder
public record VolumeSnapshot(ObjectMeta metadata, VolumeSnapshotSpec spec, Optional<VolumeSnapshotStatus> status)
        implements KubernetesObject, VolumeSnapshotBuilder.With {}
