// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
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
@WithBuilder
public record NodeSelectorTerm(
        List<NodeSelectorRequirement> matchExpressions, List<NodeSelectorRequirement> matchFields)
        implements NodeSelectorTermBuilder.With {
    /** Copies lists and maps. */
    public NodeSelectorTerm {
        matchExpressions = Copies.list(matchExpressions);
        matchFields = Copies.list(matchFields);
    }

    boolean matches(Map<String, String> labels, Map<String, String> fields) {
        return !(matchExpressions.isEmpty() && matchFields.isEmpty())
                && matchExpressions.stream().allMatch(requirement -> requirement.matches(labels))
                && matchFields.stream().allMatch(requirement -> requirement.matches(fields));
    }
}
