// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
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
@WithBuilder
public record CSIStorageCapacity(
        ObjectMeta metadata,
        Optional<LabelSelector> nodeTopology,
        String storageClassName,
        Optional<Quantity> capacity,
        Optional<Quantity> maximumVolumeSize)
        implements KubernetesObject, CSIStorageCapacityBuilder.With {}
