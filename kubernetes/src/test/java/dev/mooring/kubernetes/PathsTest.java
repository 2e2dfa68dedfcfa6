// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.LabelSelectorRequirement;
import dev.mooring.storage.store.ListOptions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PathsTest {
    @Test
    void comparisonsOfLabelsAreWrittenAsTheServerReadsThem() {
        LabelSelector selector = new LabelSelector(
                Map.of(),
                List.of(
                        new LabelSelectorRequirement("n", "Gt", List.of("4")),
                        new LabelSelectorRequirement("m", "Lt", List.of("-1"))));
        assertThat(Paths.selection(ListOptions.ALL.withLabels(selector)))
                .containsExactly("labelSelector=n%3E4%2Cm%3C-1");
    }

    @Test
    void aComparisonWithTwoValuesIsNoneThatTheServerReads() {
        LabelSelector selector =
                new LabelSelector(Map.of(), List.of(new LabelSelectorRequirement("m", "Lt", List.of("1", "2"))));
        assertThat(Paths.selection(ListOptions.ALL.withLabels(selector)))
                .containsExactly("labelSelector=m%3C%281%2C2%29");
    }
}
