// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What a snapshot in the back-end is.
 *
 * @param volumeSnapshotRef whose it is; without uid if a person has made the content for a snapshot to come
 * @param deletionPolicy what becomes of it when the content goes
 * @param driver in whose back-end it is
 * @param volumeSnapshotClassName how it is made
 * @param source what it stands for
 * @param sourceVolumeMode the mode of the volume that it is of
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record VolumeSnapshotContentSpec(
        ObjectReference volumeSnapshotRef,
        SnapshotPolicy deletionPolicy,
        String driver,
        Optional<String> volumeSnapshotClassName,
        VolumeSnapshotContentSource source,
        Optional<String> sourceVolumeMode)
        implements VolumeSnapshotContentSpecBuilder.With {}
