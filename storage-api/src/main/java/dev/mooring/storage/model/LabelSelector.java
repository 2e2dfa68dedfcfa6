// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Which labels an object must have. An empty selector matches everything.
 *
 * @param matchLabels labels that must be equal
 * @param matchExpressions further conditions, all of which must hold
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record LabelSelector(Map<String, String> matchLabels, List<LabelSelectorRequirement> matchExpressions)
        implements LabelSelectorBuilder.With {
    /** Nothing set. */
    public static final LabelSelector EMPTY = new LabelSelector(Map.of(), List.of());

    /** Copies lists and maps. */
    public LabelSelector {
        matchLabels = Copies.map(matchLabels);
        matchExpressions = Copies.list(matchExpressions);
    }

    private static final List<String> OPERATORS = List.of("In", "NotIn", "Exists", "DoesNotExist");

    /** Whether labels fulfil everything; an operator that does not exist is fulfilled by nothing. */
    public boolean matches(Map<String, String> labels) {
        // Loops: a selector that nothing indexes is tried on every volume.
        for (Map.Entry<String, String> wanted : matchLabels.entrySet()) {
            if (!wanted.getValue().equals(labels.get(wanted.getKey()))) {
                return false;
            }
        }
        for (int i = 0; i < matchExpressions.size(); i++) {
            if (!matchExpressions.get(i).matches(labels)) {
                return false;
            }
        }
        return true;
    }

    /** What is wrong with the selector; empty if nothing is. */
    public Optional<String> problem() {
        for (LabelSelectorRequirement requirement : matchExpressions) {
            if (!OPERATORS.contains(requirement.operator())) {
                return Optional.of("\"" + requirement.operator() + "\" is not a valid label selector operator");
            }
            boolean needsValues = requirement.operator().endsWith("In");
            if (needsValues == requirement.values().isEmpty()) {
                return Optional.of(
                        "operator " + requirement.operator() + (needsValues ? " needs" : " takes no") + " values");
            }
        }
        return Optional.empty();
    }
}
