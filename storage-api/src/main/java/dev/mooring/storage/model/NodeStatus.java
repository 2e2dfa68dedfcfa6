// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Where a node stands.
 *
 * @param addresses how it is reached
 * @param capacity what it has
 * @param allocatable what pods may use
 * @param conditions facts about it
 * @param volumesInUse attachable volumes that it may be using
 * @param volumesAttached volumes that are attached to it
 * @param nodeInfo what its agent says of itself; absent before one reported it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record NodeStatus(
        List<NodeAddress> addresses,
        Map<String, Quantity> capacity,
        Map<String, Quantity> allocatable,
        List<Condition> conditions,
        List<String> volumesInUse,
        List<AttachedVolume> volumesAttached,
        Optional<NodeSystemInfo> nodeInfo) {
    /** Nothing set. */
    public static final NodeStatus EMPTY =
            new NodeStatus(List.of(), Map.of(), Map.of(), List.of(), List.of(), List.of(), Optional.empty());

    /** Copies lists and maps. */
    public NodeStatus {
        addresses = Copies.list(addresses);
        capacity = Copies.map(capacity);
        allocatable = Copies.map(allocatable);
        conditions = Copies.list(conditions);
        volumesInUse = Copies.list(volumesInUse);
        volumesAttached = Copies.list(volumesAttached);
    }

    /** The same with other addresses. */
    public NodeStatus withAddresses(List<NodeAddress> newAddresses) {
        return new NodeStatus(newAddresses, capacity, allocatable, conditions, volumesInUse, volumesAttached, nodeInfo);
    }

    /** The same with another capacity. */
    public NodeStatus withCapacity(Map<String, Quantity> newCapacity) {
        return new NodeStatus(addresses, newCapacity, allocatable, conditions, volumesInUse, volumesAttached, nodeInfo);
    }

    /** The same with another allocatable. */
    public NodeStatus withAllocatable(Map<String, Quantity> newAllocatable) {
        return new NodeStatus(addresses, capacity, newAllocatable, conditions, volumesInUse, volumesAttached, nodeInfo);
    }

    /** The same with another conditions. */
    public NodeStatus withConditions(List<Condition> newConditions) {
        return new NodeStatus(addresses, capacity, allocatable, newConditions, volumesInUse, volumesAttached, nodeInfo);
    }

    /** The same with another volumesInUse. */
    public NodeStatus withVolumesInUse(List<String> newVolumesInUse) {
        return new NodeStatus(addresses, capacity, allocatable, conditions, newVolumesInUse, volumesAttached, nodeInfo);
    }

    /** The same with another volumesAttached. */
    public NodeStatus withVolumesAttached(List<AttachedVolume> newVolumesAttached) {
        return new NodeStatus(addresses, capacity, allocatable, conditions, volumesInUse, newVolumesAttached, nodeInfo);
    }

    /** The same with another nodeInfo. */
    public NodeStatus withNodeInfo(Optional<NodeSystemInfo> newNodeInfo) {
        return new NodeStatus(addresses, capacity, allocatable, conditions, volumesInUse, volumesAttached, newNodeInfo);
    }
}
