// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
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
@WithBuilder
public record NodeStatus(
        List<NodeAddress> addresses,
        Map<String, Quantity> capacity,
        Map<String, Quantity> allocatable,
        List<Condition> conditions,
        List<String> volumesInUse,
        List<AttachedVolume> volumesAttached,
        Optional<NodeSystemInfo> nodeInfo)
        implements NodeStatusBuilder.With {
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
}
