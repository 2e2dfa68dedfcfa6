// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * Conditions that must hold together; without any condition a term matches nothing.
 *
 * @param matchExpressions conditions on labels
 * @param matchFields conditions on fields
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record NodeSelectorTerm(
        List<NodeSelectorRequirement> matchExpressions, List<NodeSelectorRequirement> matchFields) {
    /** Copies lists and maps. */
    public NodeSelectorTerm {
        matchExpressions = Copies.list(matchExpressions);
        matchFields = Copies.list(matchFields);
    }

    /** The same with another matchExpressions. */
    public NodeSelectorTerm withMatchExpressions(List<NodeSelectorRequirement> newMatchExpressions) {
        return new NodeSelectorTerm(newMatchExpressions, matchFields);
    }

    /** The same with another matchFields. */
    public NodeSelectorTerm withMatchFields(List<NodeSelectorRequirement> newMatchFields) {
        return new NodeSelectorTerm(matchExpressions, newMatchFields);
    }

    boolean matches(Map<String, String> labels, Map<String, String> fields) {
        return !(matchExpressions.isEmpty() && matchFields.isEmpty())
                && matchExpressions.stream().allMatch(requirement -> requirement.matches(labels))
                && matchFields.stream().allMatch(requirement -> requirement.matches(fields));
    }
}
