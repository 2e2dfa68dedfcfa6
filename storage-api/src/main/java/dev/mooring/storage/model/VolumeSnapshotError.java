// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import java.time.Instant;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The last failure of a snapshot.
 *
 * @param time when
 * @param message for people
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record VolumeSnapshotError(Optional<Instant> time, Optional<String> message)
        implements VolumeSnapshotErrorBuilder.With {}
