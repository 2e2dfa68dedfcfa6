// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The nodes that a pod may run on.
 *
 * @param requiredDuringSchedulingIgnoredDuringExecution the nodes, by their labels or names; absent for all
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record NodeAffinity(Optional<NodeSelector> requiredDuringSchedulingIgnoredDuringExecution) {
    /** The same with another requiredDuringSchedulingIgnoredDuringExecution. */
    public NodeAffinity withRequiredDuringSchedulingIgnoredDuringExecution(Optional<NodeSelector> newRequired) {
        return new NodeAffinity(newRequired);
    }
}
