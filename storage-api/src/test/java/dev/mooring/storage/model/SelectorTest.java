// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelectorTest {
    private static final Map<String, String> LABELS = Map.of("zone", "a", "size", "10", "empty", "");

    @ParameterizedTest
    @CsvSource({
        "zone, In, a b, true",
        "zone, In, b, false",
        "none, In, a, false",
        "zone, NotIn, b, true",
        "zone, NotIn, a, false",
        "none, NotIn, a, true",
        "zone, Exists, '', true",
        "empty, Exists, '', true",
        "none, Exists, '', false",
        "none, DoesNotExist, '', true",
        "zone, DoesNotExist, '', false",
        "size, Gt, 9, true",
        "size, Gt, 10, false",
        "size, Lt, 11, true",
        "size, Lt, 10, false",
        "zone, Gt, 1, false",
        "none, Lt, 1, false",
        "size, Gt, x, false",
        "size, Gt, 1 2, false",
        "size, Resembles, 10, false"
    })
    void nodeRequirements(String key, String operator, String values, boolean matches) {
        List<String> list = values.isEmpty() ? List.of() : List.of(values.split(" "));
        NodeSelectorTerm term =
                new NodeSelectorTerm(List.of(new NodeSelectorRequirement(key, operator, list)), List.of());
        assertThat(new NodeSelector(List.of(term)).matches(LABELS)).isEqualTo(matches);
        if (!operator.equals("Gt") && !operator.equals("Lt")) {
            LabelSelector selector =
                    new LabelSelector(Map.of(), List.of(new LabelSelectorRequirement(key, operator, list)));
            assertThat(selector.matches(LABELS)).isEqualTo(matches);
        }
    }

    @Test
    void anEmptyLabelSelectorMatchesAll() {
        assertThat(LabelSelector.EMPTY.matches(Map.of())).isTrue();
    }

    @Test
    void noTermsAndEmptyTermsMatchNothing() {
        assertThat(new NodeSelector(List.of()).matches(LABELS)).isFalse();
        assertThat(new NodeSelector(List.of(new NodeSelectorTerm(List.of(), List.of()))).matches(LABELS))
                .isFalse();
    }

    @Test
    void termsAreAlternativesAndRequirementsAreNot() {
        NodeSelectorRequirement right = new NodeSelectorRequirement("zone", "In", List.of("a"));
        NodeSelectorRequirement wrong = new NodeSelectorRequirement("zone", "In", List.of("b"));
        NodeSelectorTerm both = new NodeSelectorTerm(List.of(right, wrong), List.of());
        assertThat(new NodeSelector(List.of(both)).matches(LABELS)).isFalse();
        assertThat(new NodeSelector(List.of(both, new NodeSelectorTerm(List.of(right), List.of()))).matches(LABELS))
                .isTrue();
    }

    @Test
    void fieldsMatchOnlyWhereTheNameIsGiven() {
        NodeSelectorRequirement name = new NodeSelectorRequirement("metadata.name", "In", List.of("n1"));
        NodeSelector selector = new NodeSelector(List.of(new NodeSelectorTerm(List.of(), List.of(name))));
        assertThat(selector.matches(Map.of())).isFalse();
        assertThat(selector.matches(Map.of(), Map.of("metadata.name", "n1"))).isTrue();
        assertThat(selector.matches(Map.of(), Map.of("metadata.name", "n2"))).isFalse();
    }

    @Test
    void theWrongOperatorIsNamed() {
        LabelSelector selector =
                new LabelSelector(Map.of(), List.of(new LabelSelectorRequirement("zone", "Resembles", List.of("a"))));
        assertThat(selector.problem().orElseThrow()).contains("Resembles");
        assertThat(new LabelSelector(Map.of(), List.of(new LabelSelectorRequirement("zone", "In", List.of())))
                        .problem())
                .isPresent();
        assertThat(new LabelSelector(LABELS, List.of()).problem()).isEmpty();
    }
}
