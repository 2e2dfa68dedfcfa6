// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What a volume is.
 *
 * @param capacity size by resource
 * @param accessModes how it may be mounted
 * @param claimRef the claim that it is bound to, or is going to be
 * @param persistentVolumeReclaimPolicy what becomes of it when its claim has gone
 * @param storageClassName its class
 * @param mountOptions options for mounting
 * @param volumeMode file system or block device
 * @param nodeAffinity from where it can be reached
 * @param volumeAttributesClassName the class of its attributes
 * @param source where the storage is; its type is the key in the document
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record PersistentVolumeSpec(
        Map<String, Quantity> capacity,
        List<AccessMode> accessModes,
        Optional<ObjectReference> claimRef,
        ReclaimPolicy persistentVolumeReclaimPolicy,
        Optional<String> storageClassName,
        List<String> mountOptions,
        Optional<VolumeMode> volumeMode,
        Optional<VolumeNodeAffinity> nodeAffinity,
        Optional<String> volumeAttributesClassName,
        Optional<VolumeSource> source)
        implements PersistentVolumeSpecBuilder.With {
    /** Copies lists and maps. */
    public PersistentVolumeSpec {
        capacity = Copies.map(capacity);
        accessModes = Copies.list(accessModes);
        mountOptions = Copies.list(mountOptions);
    }

    private static final String STORAGE = "storage";

    /** Nothing set; reclaim policy Retain. */
    public static final PersistentVolumeSpec EMPTY = new PersistentVolumeSpec(
            Map.of(),
            List.of(),
            Optional.empty(),
            ReclaimPolicy.RETAIN,
            Optional.empty(),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    /** The size; zero if none is given. */
    public Quantity storage() {
        return capacity.getOrDefault(STORAGE, Quantity.ZERO);
    }

    /** The same with another size. */
    public PersistentVolumeSpec withStorage(Quantity size) {
        Map<String, Quantity> copy = new LinkedHashMap<>(capacity);
        copy.put(STORAGE, size);
        return withCapacity(copy);
    }
}
