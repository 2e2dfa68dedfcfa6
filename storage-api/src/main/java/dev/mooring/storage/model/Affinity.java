// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Where a pod wants to run, as far as it is a matter of nodes.
 *
 * @param nodeAffinity which nodes; absent for all
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Affinity(Optional<NodeAffinity> nodeAffinity) {
    /** The same with another nodeAffinity. */
    public Affinity withNodeAffinity(Optional<NodeAffinity> newNodeAffinity) {
        return new Affinity(newNodeAffinity);
    }
}
