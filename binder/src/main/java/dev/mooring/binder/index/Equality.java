// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.LabelSelectorRequirement;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * One requirement of a selector that names the values a label may have: {@code matchLabels} or {@code In}. What can be looked up
 * rather than tested.
 *
 * @param key the label
 * @param values the values, distinct
 */
record Equality(String key, List<String> values) {
    private static final String IN = "In";

    /** All such requirements of a selector; the rest of it stays a filter. */
    static List<Equality> of(LabelSelector selector) {
        List<Equality> found = new ArrayList<>();
        selector.matchLabels().forEach((key, value) -> found.add(new Equality(key, List.of(value))));
        for (LabelSelectorRequirement requirement : selector.matchExpressions()) {
            if (requirement.operator().equals(IN)) {
                found.add(new Equality(requirement.key(), List.copyOf(new TreeSet<>(requirement.values()))));
            }
        }
        return found;
    }
}
