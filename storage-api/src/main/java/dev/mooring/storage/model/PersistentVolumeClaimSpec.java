// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
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
@WithBuilder
public record PersistentVolumeClaimSpec(
        List<AccessMode> accessModes,
        Optional<LabelSelector> selector,
        VolumeResourceRequirements resources,
        String volumeName,
        Optional<String> storageClassName,
        Optional<VolumeMode> volumeMode,
        Optional<TypedObjectReference> dataSource,
        Optional<TypedObjectReference> dataSourceRef,
        Optional<String> volumeAttributesClassName)
        implements PersistentVolumeClaimSpecBuilder.With {
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
