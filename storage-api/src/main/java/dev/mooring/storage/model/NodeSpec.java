// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
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
@WithBuilder
public record NodeSpec(List<Taint> taints, boolean unschedulable, String providerID) implements NodeSpecBuilder.With {
    /** Nothing set. */
    public static final NodeSpec EMPTY = new NodeSpec(List.of(), false, "");

    /** Copies lists and maps. */
    public NodeSpec {
        taints = Copies.list(taints);
    }
}
