// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.node;

import dev.mooring.controlplane.NodeAgent;
import dev.mooring.distribution.cluster.LiveCluster;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.NodeSystemInfo;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.StoreResult;
import java.util.Map;
import java.util.Optional;

/**
 * The Node object of this machine: made if it is not there, and told who its agent is.
 *
 * @param store the cluster
 * @param name the Node's name
 * @param info what it says of its agent and machine
 */
record NodeRegistration(ClusterStore store, String name, NodeSystemInfo info) {
    /** How the agent's version begins, where a kubelet's has {@code v}. */
    static final String AGENT = "mooring-";

    /**
     * Makes the object be there.
     *
     * @throws LiveCluster.ClusterException if the cluster does not tell or take it
     */
    NodeRef register() {
        Node node = new LiveCluster(store)
                .find(Kinds.NODE, ObjectKey.cluster(name))
                .orElseGet(() -> written("create", store.create(Kinds.NODE, fresh())));
        if (!node.status().nodeInfo().equals(Optional.of(info))) {
            Node told = node.withStatus(node.status().withNodeInfo(Optional.of(info)));
            written("report", store.updateStatus(Kinds.NODE, new Change<>(node, told)));
        }
        return new NodeRef(name, node.metadata().uid());
    }

    private Node fresh() {
        return NodeAgent.newNode(
                name, Map.of("kubernetes.io/os", info.operatingSystem(), "kubernetes.io/arch", info.architecture()));
    }

    private Node written(String verb, StoreResult<Node> result) {
        return result.match(there -> there, failed -> {
            throw new LiveCluster.ClusterException("cannot " + verb + " node " + name + ": " + failed.message());
        });
    }
}
