// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A machine of the cluster.
 *
 * @param metadata metadata
 * @param spec what it is
 * @param status where it stands
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record Node(ObjectMeta metadata, NodeSpec spec, NodeStatus status)
        implements KubernetesObject, NodeBuilder.With {
    /** The key of the taint by which people assert that a node is off and stays so. */
    public static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";

    /** A new node. */
    public static Node of(String name) {
        return new Node(ObjectMeta.named(name), NodeSpec.EMPTY, NodeStatus.EMPTY);
    }

    /** Whether its agent reports it ready; a node that never reported counts as ready. */
    public boolean isReady() {
        return readyCondition()
                .filter(condition -> condition.status() != ConditionStatus.TRUE)
                .isEmpty();
    }

    /** What its agent, or the node controller for an agent that is silent, says of whether it is ready; empty if it never reported. */
    public Optional<Condition> readyCondition() {
        return status.conditions().stream()
                .filter(condition -> condition.type().equals("Ready"))
                .findFirst();
    }

    /** Whether a taint asserts that it is off. It may still be ready. */
    public boolean hasOutOfServiceTaint() {
        return spec.taints().stream().anyMatch(taint -> taint.key().equals(OUT_OF_SERVICE));
    }
}
