// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A driver on a node.
 *
 * @param name the driver
 * @param nodeID the node's name for the driver
 * @param topologyKeys labels that say where the node is
 * @param allocatable limits
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record CSINodeDriver(
        String name, String nodeID, List<String> topologyKeys, Optional<CSINodeDriverAllocatable> allocatable)
        implements CSINodeDriverBuilder.With {
    /** Copies lists and maps. */
    public CSINodeDriver {
        topologyKeys = Copies.list(topologyKeys);
    }
}
