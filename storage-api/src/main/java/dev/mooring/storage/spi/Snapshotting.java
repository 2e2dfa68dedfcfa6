// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Makes snapshots of volumes, and volumes from snapshots. Called by the controllers, one call for a snapshot at a time. A plugin that has
 * this also is {@link Provisioning}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public non-sealed interface Snapshotting extends Capability {
    /**
     * Looks at a wish without I/O: equal wishes give equal answers.
     *
     * @return annotations for the VolumeSnapshotContent, which {@link #deleteSnapshot} is given again, in a fixed order; INVALID, naming
     *     the parameter, if one is wrong; never {@link Outcome.Uncertain}
     */
    Outcome<Map<String, String>> planSnapshot(SnapshotRequest request);

    /**
     * Makes a snapshot. Repeating the call for one name gives the same snapshot, with what is known of it then.
     *
     * @param source the volume; pods may write to it meanwhile
     */
    Outcome<SnapshotFacts> createSnapshot(OperationContext context, SnapshotRequest request, VolumeSpec source);

    /** Destroys a snapshot. One that is already gone is {@link Outcome.Done}. Volumes that were made from it stay. */
    Outcome<Nothing> deleteSnapshot(OperationContext context, SnapshotRef snapshot);

    /**
     * Looks at a snapshot that exists.
     *
     * @return what is known; empty if there is none of that name
     */
    Outcome<Optional<SnapshotFacts>> findSnapshot(OperationContext context, SnapshotRef snapshot);

    /**
     * Makes the storage of a new volume as {@link Provisioning#provision} does, with a copy of what a snapshot holds. Repeating the call for
     * one volume name gives the same storage; storage that is not filled yet is no volume.
     *
     * @param request what the claim wants; its {@linkplain ProvisionRequest#content content} is the snapshot
     * @param plan what {@link Provisioning#plan} answered for this request
     * @return the volume as it was made; {@link Refusal#NOT_FOUND} if the snapshot has gone
     */
    Outcome<VolumeTemplate> restore(
            OperationContext context, ProvisionRequest request, VolumeTemplate plan, SnapshotRef snapshot);
}
