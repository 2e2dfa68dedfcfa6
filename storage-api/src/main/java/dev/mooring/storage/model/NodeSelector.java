// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * Which nodes are meant: one of the terms must hold; without terms none is (semantics/binder §2.2).
 *
 * @param nodeSelectorTerms the terms
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record NodeSelector(List<NodeSelectorTerm> nodeSelectorTerms) {
    /** Nothing set. */
    public static final NodeSelector EMPTY = new NodeSelector(List.of());

    /** Copies lists and maps. */
    public NodeSelector {
        nodeSelectorTerms = Copies.list(nodeSelectorTerms);
    }

    /** The same with another nodeSelectorTerms. */
    public NodeSelector withNodeSelectorTerms(List<NodeSelectorTerm> newNodeSelectorTerms) {
        return new NodeSelector(newNodeSelectorTerms);
    }

    /** Whether a node with these labels is meant; conditions on fields match nothing, as for the scheduler. */
    public boolean matches(Map<String, String> labels) {
        return matches(labels, Map.of());
    }

    /** Whether a node with these labels and fields is meant. */
    public boolean matches(Map<String, String> labels, Map<String, String> fields) {
        return nodeSelectorTerms.stream().anyMatch(term -> term.matches(labels, fields));
    }
}
