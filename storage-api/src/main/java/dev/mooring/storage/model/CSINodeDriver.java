// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

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
public record CSINodeDriver(
        String name, String nodeID, List<String> topologyKeys, Optional<CSINodeDriverAllocatable> allocatable) {
    /** Copies lists and maps. */
    public CSINodeDriver {
        topologyKeys = Copies.list(topologyKeys);
    }

    /** The same with another name. */
    public CSINodeDriver withName(String newName) {
        return new CSINodeDriver(newName, nodeID, topologyKeys, allocatable);
    }

    /** The same with another nodeID. */
    public CSINodeDriver withNodeID(String newNodeID) {
        return new CSINodeDriver(name, newNodeID, topologyKeys, allocatable);
    }

    /** The same with another topologyKeys. */
    public CSINodeDriver withTopologyKeys(List<String> newTopologyKeys) {
        return new CSINodeDriver(name, nodeID, newTopologyKeys, allocatable);
    }

    /** The same with another allocatable. */
    public CSINodeDriver withAllocatable(Optional<CSINodeDriverAllocatable> newAllocatable) {
        return new CSINodeDriver(name, nodeID, topologyKeys, newAllocatable);
    }
}
