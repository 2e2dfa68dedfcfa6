// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * A condition on one label or field of a node.
 *
 * @param key label or field
 * @param operator {@code In}, {@code NotIn}, {@code Exists}, {@code DoesNotExist}, {@code Gt} or {@code Lt}
 * @param values values to compare with
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record NodeSelectorRequirement(String key, String operator, List<String> values)
        implements NodeSelectorRequirementBuilder.With {
    /** Copies lists and maps. */
    public NodeSelectorRequirement {
        values = Copies.list(values);
    }

    boolean matches(Map<String, String> labels) {
        String value = labels.get(key);
        return switch (operator) {
            case "Gt", "Lt" -> value != null && values.size() == 1 && compares(value, values.get(0));
            default -> new LabelSelectorRequirement(key, operator, values).matches(labels);
        };
    }

    private boolean compares(String value, String bound) {
        try {
            int order = Long.compare(Long.parseLong(value), Long.parseLong(bound));
            return operator.equals("Gt") ? order > 0 : order < 0;
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
