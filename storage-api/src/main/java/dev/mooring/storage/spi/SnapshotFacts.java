// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import dev.mooring.storage.builder.WithBuilder;
import java.time.Instant;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What a back-end says of a snapshot.
 *
 * @param handle its name in the back-end; not empty
 * @param createdAt of which moment it is; empty if the back-end does not say
 * @param bytes the least size of a volume made from it; 0 if the back-end does not say
 * @param ready whether a volume can be made from it now; else it is asked for again
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record SnapshotFacts(String handle, Optional<Instant> createdAt, long bytes, boolean ready)
        implements SnapshotFactsBuilder.With {}
