// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A condition on one label.
 *
 * @param key label
 * @param operator {@code In}, {@code NotIn}, {@code Exists} or {@code DoesNotExist}; in queries also {@code Gt} and {@code Lt}
 * @param values values for In and NotIn; for Gt and Lt the integer with which the label's is compared
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record LabelSelectorRequirement(String key, String operator, List<String> values)
        implements LabelSelectorRequirementBuilder.With {
    /** Copies lists and maps. */
    public LabelSelectorRequirement {
        values = Copies.list(values);
    }

    /** As it stands in a query; one that no server takes is written so that the server says what is wrong with it. Never null. */
    public String text() {
        String all = "(" + String.join(",", values) + ")";
        // in brackets a server refuses what is not one value; without, the second would be a requirement of its own
        String one = values.size() == 1 ? values.get(0) : all;
        return switch (operator) {
            case "In" -> key + " in " + all;
            case "NotIn" -> key + " notin " + all;
            case "Exists" -> key;
            case "DoesNotExist" -> "!" + key;
            case "Gt" -> key + ">" + one;
            case "Lt" -> key + "<" + one;
            default -> key + " " + operator + " " + all;
        };
    }

    boolean matches(Map<String, String> labels) {
        String value = labels.get(key);
        return switch (operator) {
            case "In" -> value != null && values.contains(value);
            case "NotIn" -> value == null || !values.contains(value);
            case "Exists" -> value != null;
            case "DoesNotExist" -> value == null;
            case "Gt" ->
                value != null && difference(value).filter(sign -> sign > 0).isPresent();
            case "Lt" ->
                value != null && difference(value).filter(sign -> sign < 0).isPresent();
            default -> false;
        };
    }

    /** Nothing compares with what is no integer. */
    private Optional<Integer> difference(String value) {
        try {
            return values.size() == 1
                    ? Optional.of(Long.compare(Long.parseLong(value), Long.parseLong(values.get(0))))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
