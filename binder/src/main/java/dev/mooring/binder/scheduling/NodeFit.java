// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import java.util.List;
import org.apiguardian.api.API;

/**
 * Whether a pod's volumes let it run on a node. Immutable.
 *
 * @param node the node's name
 * @param rejections everything that speaks against it, in the order of Kubernetes' plugins; empty if it fits
 * @param conflicts the node affinities behind {@code node(s) didn't match PersistentVolume's node affinity}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record NodeFit(String node, List<Rejection> rejections, List<AffinityConflict> conflicts) {
    /** Copies the lists. */
    public NodeFit {
        rejections = List.copyOf(rejections);
        conflicts = List.copyOf(conflicts);
    }

    /** Whether nothing speaks against the node. */
    public boolean fits() {
        return rejections.isEmpty();
    }

    /** The reasons in Kubernetes' words, each once. */
    public List<String> reasons() {
        return rejections.stream().map(Rejection::reason).distinct().toList();
    }
}
