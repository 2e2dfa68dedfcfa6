// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.List;
import org.apiguardian.api.API;

/**
 * What a node is.
 *
 * @param taints what keeps pods off
 * @param unschedulable whether new pods may come
 * @param providerID its name at the provider
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record NodeSpec(List<Taint> taints, boolean unschedulable, String providerID) {
    /** Nothing set. */
    public static final NodeSpec EMPTY = new NodeSpec(List.of(), false, "");

    /** Copies lists and maps. */
    public NodeSpec {
        taints = Copies.list(taints);
    }

    /** The same with another taints. */
    public NodeSpec withTaints(List<Taint> newTaints) {
        return new NodeSpec(newTaints, unschedulable, providerID);
    }

    /** The same with another unschedulable. */
    public NodeSpec withUnschedulable(boolean newUnschedulable) {
        return new NodeSpec(taints, newUnschedulable, providerID);
    }

    /** The same with another providerID. */
    public NodeSpec withProviderID(String newProviderID) {
        return new NodeSpec(taints, unschedulable, newProviderID);
    }
}
