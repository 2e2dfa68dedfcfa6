// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

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
public record PersistentVolumeClaimStatus(
        ClaimPhase phase,
        List<AccessMode> accessModes,
        Map<String, Quantity> capacity,
        List<Condition> conditions,
        Map<String, Quantity> allocatedResources,
        Map<String, String> allocatedResourceStatuses,
        Optional<String> currentVolumeAttributesClassName,
        Optional<ModifyVolumeStatus> modifyVolumeStatus) {
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

    /** The same with another phase. */
    public PersistentVolumeClaimStatus withPhase(ClaimPhase newPhase) {
        return new PersistentVolumeClaimStatus(
                newPhase,
                accessModes,
                capacity,
                conditions,
                allocatedResources,
                allocatedResourceStatuses,
                currentVolumeAttributesClassName,
                modifyVolumeStatus);
    }

    /** The same with another accessModes. */
    public PersistentVolumeClaimStatus withAccessModes(List<AccessMode> newAccessModes) {
        return new PersistentVolumeClaimStatus(
                phase,
                newAccessModes,
                capacity,
                conditions,
                allocatedResources,
                allocatedResourceStatuses,
                currentVolumeAttributesClassName,
                modifyVolumeStatus);
    }

    /** The same with another capacity. */
    public PersistentVolumeClaimStatus withCapacity(Map<String, Quantity> newCapacity) {
        return new PersistentVolumeClaimStatus(
                phase,
                accessModes,
                newCapacity,
                conditions,
                allocatedResources,
                allocatedResourceStatuses,
                currentVolumeAttributesClassName,
                modifyVolumeStatus);
    }

    /** The same with another conditions. */
    public PersistentVolumeClaimStatus withConditions(List<Condition> newConditions) {
        return new PersistentVolumeClaimStatus(
                phase,
                accessModes,
                capacity,
                newConditions,
                allocatedResources,
                allocatedResourceStatuses,
                currentVolumeAttributesClassName,
                modifyVolumeStatus);
    }

    /** The same with another allocatedResources. */
    public PersistentVolumeClaimStatus withAllocatedResources(Map<String, Quantity> newAllocatedResources) {
        return new PersistentVolumeClaimStatus(
                phase,
                accessModes,
                capacity,
                conditions,
                newAllocatedResources,
                allocatedResourceStatuses,
                currentVolumeAttributesClassName,
                modifyVolumeStatus);
    }

    /** The same with another allocatedResourceStatuses. */
    public PersistentVolumeClaimStatus withAllocatedResourceStatuses(Map<String, String> newAllocatedResourceStatuses) {
        return new PersistentVolumeClaimStatus(
                phase,
                accessModes,
                capacity,
                conditions,
                allocatedResources,
                newAllocatedResourceStatuses,
                currentVolumeAttributesClassName,
                modifyVolumeStatus);
    }

    /** The same with another currentVolumeAttributesClassName. */
    public PersistentVolumeClaimStatus withCurrentVolumeAttributesClassName(
            Optional<String> newCurrentVolumeAttributesClassName) {
        return new PersistentVolumeClaimStatus(
                phase,
                accessModes,
                capacity,
                conditions,
                allocatedResources,
                allocatedResourceStatuses,
                newCurrentVolumeAttributesClassName,
                modifyVolumeStatus);
    }

    /** The same with another modifyVolumeStatus. */
    public PersistentVolumeClaimStatus withModifyVolumeStatus(Optional<ModifyVolumeStatus> newModifyVolumeStatus) {
        return new PersistentVolumeClaimStatus(
                phase,
                accessModes,
                capacity,
                conditions,
                allocatedResources,
                allocatedResourceStatuses,
                currentVolumeAttributesClassName,
                newModifyVolumeStatus);
    }
}
