// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.Optional;
import org.apiguardian.api.API;

/**
 * How much storage of a class is left somewhere.
 *
 * @param metadata metadata
 * @param nodeTopology for which nodes; absent for none
 * @param storageClassName of which class
 * @param capacity how much in all
 * @param maximumVolumeSize how much in one volume
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CSIStorageCapacity(
        ObjectMeta metadata,
        Optional<LabelSelector> nodeTopology,
        String storageClassName,
        Optional<Quantity> capacity,
        Optional<Quantity> maximumVolumeSize)
        implements KubernetesObject {
    /** The same with another metadata. */
    public CSIStorageCapacity withMetadata(ObjectMeta newMetadata) {
        return new CSIStorageCapacity(newMetadata, nodeTopology, storageClassName, capacity, maximumVolumeSize);
    }

    /** The same with another nodeTopology. */
    public CSIStorageCapacity withNodeTopology(Optional<LabelSelector> newNodeTopology) {
        return new CSIStorageCapacity(metadata, newNodeTopology, storageClassName, capacity, maximumVolumeSize);
    }

    /** The same with another storageClassName. */
    public CSIStorageCapacity withStorageClassName(String newStorageClassName) {
        return new CSIStorageCapacity(metadata, nodeTopology, newStorageClassName, capacity, maximumVolumeSize);
    }

    /** The same with another capacity. */
    public CSIStorageCapacity withCapacity(Optional<Quantity> newCapacity) {
        return new CSIStorageCapacity(metadata, nodeTopology, storageClassName, newCapacity, maximumVolumeSize);
    }

    /** The same with another maximumVolumeSize. */
    public CSIStorageCapacity withMaximumVolumeSize(Optional<Quantity> newMaximumVolumeSize) {
        return new CSIStorageCapacity(metadata, nodeTopology, storageClassName, capacity, newMaximumVolumeSize);
    }
}
