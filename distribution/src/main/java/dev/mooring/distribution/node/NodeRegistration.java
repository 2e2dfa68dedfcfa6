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

/**
 * The Node object of this machine: creates it if it is missing, and writes its agent into it.
 *
 * @param store the cluster
 * @param name the Node's name
 * @param description what it says of its agent and machine
 */
record NodeRegistration(ClusterStore store, String name, NodeDescription description) {
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
        Node described = node.withStatus(description.in(node.status()));
        if (!described.equals(node)) {
            written("report", store.updateStatus(Kinds.NODE, new Change<>(node, described)));
        }
        return new NodeRef(name, node.metadata().uid());
    }

    private Node fresh() {
        NodeSystemInfo info = description.info();
        return NodeAgent.newNode(
                name, Map.of("kubernetes.io/os", info.operatingSystem(), "kubernetes.io/arch", info.architecture()));
    }

    private Node written(String verb, StoreResult<Node> result) {
        return result.orThrow(failed ->
                new LiveCluster.ClusterException("cannot " + verb + " node " + name + ": " + failed.message()));
    }
}
