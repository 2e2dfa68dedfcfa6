// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
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
@WithBuilder
public record VolumeSnapshotContent(
        ObjectMeta metadata, VolumeSnapshotContentSpec spec, Optional<VolumeSnapshotContentStatus> status)
        implements KubernetesObject, VolumeSnapshotContentBuilder.With {}
