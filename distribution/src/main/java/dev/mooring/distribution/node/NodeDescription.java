// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.node;

import dev.mooring.storage.model.NodeAddress;
import dev.mooring.storage.model.NodeStatus;
import dev.mooring.storage.model.NodeSystemInfo;
import dev.mooring.storage.model.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a Node says of its agent and machine.
 *
 * @param info versions and names
 * @param capacity what the machine has, by resource; all of it may be used by pods
 * @param addresses how the machine is reached
 */
public record NodeDescription(NodeSystemInfo info, Map<String, Quantity> capacity, List<NodeAddress> addresses) {
    /** The status with this in it. Other resources, such as limits of volumes, stay. */
    NodeStatus in(NodeStatus status) {
        Map<String, Quantity> has = new TreeMap<>(status.capacity());
        has.putAll(capacity);
        Map<String, Quantity> offers = new TreeMap<>(status.allocatable());
        offers.putAll(capacity);
        return status.withNodeInfo(Optional.of(info))
                .withCapacity(has)
                .withAllocatable(offers)
                .withAddresses(addresses);
    }
}
