// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import static dev.mooring.clusterstore.validation.Rows.POD;
import static dev.mooring.clusterstore.validation.Rows.VALIDATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a pod says about where it may run. */
class PlacementRulesTest {
    private static final String[] TERMS = {
        "spec", "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms"
    };

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "- | Equal  | v   | -         | - | operator: Invalid value: \"Equal\": operator must be Exists when `key` is empty",
                "- | -      | -   | -         | - | operator: Invalid value: \"\": operator must be Exists when `key` is empty",
                "k | Exist  | -   | -         | - | operator: Unsupported value: \"Exist\": supported values: \"Equal\", \"Exists\"",
                "k | Equal  | a b | -         | - | operator: Invalid value: \"a b\": a valid label must be",
                "k | Exists | v   | -         | - | operator: Invalid value: {",
                "k | Exists | -   | Sometimes | - | effect: Unsupported value: \"Sometimes\"",
                "k | Exists | -   | -         | 5 | effect: Invalid value: \"\": effect must be 'NoExecute' when `tolerationSeconds` is set",
                "a b | Exists | - | -         | - | key: Invalid value: \"a b\": name part must consist of"
            })
    void aTolerationOfNothingIsRefused(
            String key, String operator, String value, String effect, Long seconds, String complaint) {
        Map<String, Object> toleration = new HashMap<>();
        toleration.put("key", key);
        toleration.put("operator", operator);
        toleration.put("value", value);
        toleration.put("effect", effect);
        toleration.put("tolerationSeconds", seconds);
        toleration.values().removeIf(each -> each == null);
        assertThat(VALIDATION.onCreate(Kinds.POD, POD.with(List.of(toleration), "spec", "tolerations")))
                .first()
                .asString()
                .startsWith("spec.tolerations[0]." + complaint);
    }

    @Test
    void everyTaintMayBeTolerated() {
        List<Object> all = List.of(
                Map.of("operator", "Exists"),
                Map.of("key", "k"),
                Map.of("key", "k", "value", "v", "effect", "NoExecute", "tolerationSeconds", 5));
        assertThat(VALIDATION.onCreate(Kinds.POD, POD.with(all, "spec", "tolerations")))
                .isEmpty();
    }

    @Test
    void aSelectorOfNoLabelIsRefused() {
        assertThat(VALIDATION.onCreate(Kinds.POD, POD.with("a b", "spec", "nodeSelector", "zone")))
                .singleElement()
                .asString()
                .startsWith("spec.nodeSelector: Invalid value: \"a b\"");
    }

    @Test
    void anAffinityThatCannotBeReadIsRefused() {
        Document operator =
                POD.with(List.of(Map.of("matchExpressions", List.of(Map.of("key", "zone", "operator", "Is")))), TERMS);
        assertThat(VALIDATION.onCreate(Kinds.POD, operator))
                .singleElement()
                .asString()
                .startsWith(String.join(".", TERMS)
                        + "[0].matchExpressions[0].operator: Invalid value: \"Is\": not a valid");
        assertThat(VALIDATION.onCreate(Kinds.POD, POD.with(List.of(), TERMS)))
                .singleElement()
                .asString()
                .startsWith(String.join(".", TERMS) + ": Required value: must have at least one");
    }

    @Test
    void anAffinityToWhatNoLabelCanSayIsRefused() {
        Document values = POD.with(
                List.of(Map.of(
                        "matchExpressions",
                        List.of(Map.of("key", "zone", "operator", "In", "values", List.of("a", "a b"))))),
                TERMS);
        assertThat(VALIDATION.onCreate(Kinds.POD, values))
                .singleElement()
                .asString()
                .startsWith(String.join(".", TERMS) + "[0].matchExpressions[0].values[1]: Invalid value: \"a b\"");
    }
}
