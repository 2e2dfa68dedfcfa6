// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Where a claim stands.
 *
 * @param phase the phase
 * @param accessModes the modes of the volume
 * @param capacity the size of the volume
 * @param conditions facts about it
 * @param allocatedResources the size that an expansion under way goes for
 * @param allocatedResourceStatuses how far an expansion is, by resource
 * @param currentVolumeAttributesClassName the class of attributes that the volume has
 * @param modifyVolumeStatus a change of attributes under way
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record PersistentVolumeClaimStatus(
        ClaimPhase phase,
        List<AccessMode> accessModes,
        Map<String, Quantity> capacity,
        List<Condition> conditions,
        Map<String, Quantity> allocatedResources,
        Map<String, String> allocatedResourceStatuses,
        Optional<String> currentVolumeAttributesClassName,
        Optional<ModifyVolumeStatus> modifyVolumeStatus)
        implements PersistentVolumeClaimStatusBuilder.With {
    /** Nothing set. */
    public static final PersistentVolumeClaimStatus EMPTY = new PersistentVolumeClaimStatus(
            ClaimPhase.PENDING, List.of(), Map.of(), List.of(), Map.of(), Map.of(), Optional.empty(), Optional.empty());

    /** Copies lists and maps. */
    public PersistentVolumeClaimStatus {
        accessModes = Copies.list(accessModes);
        capacity = Copies.map(capacity);
        conditions = Copies.list(conditions);
        allocatedResources = Copies.map(allocatedResources);
        allocatedResourceStatuses = Copies.map(allocatedResourceStatuses);
    }
}
