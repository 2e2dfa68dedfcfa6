// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What a claim wants.
 *
 * @param accessModes the requested access modes
 * @param selector which volumes it may be bound to
 * @param resources how much
 * @param volumeName the volume that it is bound to, or is going to be; empty for any
 * @param storageClassName the class; absent for the default, empty for none
 * @param volumeMode file system or block device
 * @param dataSource what to fill a new volume from
 * @param dataSourceRef what to fill a new volume from
 * @param volumeAttributesClassName the class of attributes wanted
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PersistentVolumeClaimSpec(
        List<AccessMode> accessModes,
        Optional<LabelSelector> selector,
        VolumeResourceRequirements resources,
        String volumeName,
        Optional<String> storageClassName,
        Optional<VolumeMode> volumeMode,
        Optional<TypedObjectReference> dataSource,
        Optional<TypedObjectReference> dataSourceRef,
        Optional<String> volumeAttributesClassName) {
    /** Nothing set. */
    public static final PersistentVolumeClaimSpec EMPTY = new PersistentVolumeClaimSpec(
            List.of(),
            Optional.empty(),
            VolumeResourceRequirements.EMPTY,
            "",
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    /** Copies lists and maps. */
    public PersistentVolumeClaimSpec {
        accessModes = Copies.list(accessModes);
    }

    /** The same with another accessModes. */
    public PersistentVolumeClaimSpec withAccessModes(List<AccessMode> newAccessModes) {
        return new PersistentVolumeClaimSpec(
                newAccessModes,
                selector,
                resources,
                volumeName,
                storageClassName,
                volumeMode,
                dataSource,
                dataSourceRef,
                volumeAttributesClassName);
    }

    /** The same with another selector. */
    public PersistentVolumeClaimSpec withSelector(Optional<LabelSelector> newSelector) {
        return new PersistentVolumeClaimSpec(
                accessModes,
                newSelector,
                resources,
                volumeName,
                storageClassName,
                volumeMode,
                dataSource,
                dataSourceRef,
                volumeAttributesClassName);
    }

    /** The same with another resources. */
    public PersistentVolumeClaimSpec withResources(VolumeResourceRequirements newResources) {
        return new PersistentVolumeClaimSpec(
                accessModes,
                selector,
                newResources,
                volumeName,
                storageClassName,
                volumeMode,
                dataSource,
                dataSourceRef,
                volumeAttributesClassName);
    }

    /** The same with another volumeName. */
    public PersistentVolumeClaimSpec withVolumeName(String newVolumeName) {
        return new PersistentVolumeClaimSpec(
                accessModes,
                selector,
                resources,
                newVolumeName,
                storageClassName,
                volumeMode,
                dataSource,
                dataSourceRef,
                volumeAttributesClassName);
    }

    /** The same with another storageClassName. */
    public PersistentVolumeClaimSpec withStorageClassName(Optional<String> newStorageClassName) {
        return new PersistentVolumeClaimSpec(
                accessModes,
                selector,
                resources,
                volumeName,
                newStorageClassName,
                volumeMode,
                dataSource,
                dataSourceRef,
                volumeAttributesClassName);
    }

    /** The same with another volumeMode. */
    public PersistentVolumeClaimSpec withVolumeMode(Optional<VolumeMode> newVolumeMode) {
        return new PersistentVolumeClaimSpec(
                accessModes,
                selector,
                resources,
                volumeName,
                storageClassName,
                newVolumeMode,
                dataSource,
                dataSourceRef,
                volumeAttributesClassName);
    }

    /** The same with another dataSource. */
    public PersistentVolumeClaimSpec withDataSource(Optional<TypedObjectReference> newDataSource) {
        return new PersistentVolumeClaimSpec(
                accessModes,
                selector,
                resources,
                volumeName,
                storageClassName,
                volumeMode,
                newDataSource,
                dataSourceRef,
                volumeAttributesClassName);
    }

    /** The same with another dataSourceRef. */
    public PersistentVolumeClaimSpec withDataSourceRef(Optional<TypedObjectReference> newDataSourceRef) {
        return new PersistentVolumeClaimSpec(
                accessModes,
                selector,
                resources,
                volumeName,
                storageClassName,
                volumeMode,
                dataSource,
                newDataSourceRef,
                volumeAttributesClassName);
    }

    /** The same with another volumeAttributesClassName. */
    public PersistentVolumeClaimSpec withVolumeAttributesClassName(Optional<String> newVolumeAttributesClassName) {
        return new PersistentVolumeClaimSpec(
                accessModes,
                selector,
                resources,
                volumeName,
                storageClassName,
                volumeMode,
                dataSource,
                dataSourceRef,
                newVolumeAttributesClassName);
    }

    /** The size wanted; zero if none is given. */
    public Quantity requestedStorage() {
        return resources.requests().getOrDefault("storage", Quantity.ZERO);
    }

    /** The same with another size wanted. */
    public PersistentVolumeClaimSpec withRequestedStorage(Quantity size) {
        Map<String, Quantity> copy = new LinkedHashMap<>(resources.requests());
        copy.put("storage", size);
        return withResources(resources.withRequests(copy));
    }
}
