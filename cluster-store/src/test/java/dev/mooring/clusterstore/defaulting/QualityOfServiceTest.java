// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.defaulting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QualityOfServiceTest {
    /** The resources of a container: what it requests and limits of processor and memory, {@code -} for nothing. */
    private static Map<String, Object> resources(String text) {
        String[] amounts = text.strip().split(" ", -1);
        Map<String, Object> resources = new TreeMap<>();
        String[] groups = {"requests", "requests", "limits", "limits"};
        String[] names = {"cpu", "memory", "cpu", "memory"};
        Map<String, Map<String, Object>> parts = Map.of("requests", new TreeMap<>(), "limits", new TreeMap<>());
        for (int i = 0; i < amounts.length; i++) {
            if (!amounts[i].equals("-")) {
                parts.get(groups[i]).put(names[i], amounts[i]);
            }
        }
        resources.putAll(parts);
        return resources;
    }

    private static List<Map<String, Object>> containers(String text) {
        return Arrays.stream(text.split(","))
                .filter(each -> !each.isBlank())
                .map(each -> Map.<String, Object>of("resources", resources(each)))
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "- - - -                        | ''      | ''          | BestEffort",
                "0 0 - -                        | ''      | ''          | BestEffort",
                "100m - - -                     | ''      | ''          | Burstable",
                "- - 1 -                        | ''      | ''          | Burstable",
                "- - 1 1Gi                      | ''      | ''          | Guaranteed",
                "1000m 1024Mi 1 1Gi             | ''      | ''          | Guaranteed",
                "500m 1Gi 1 1Gi                 | ''      | ''          | Burstable",
                "- - 1 1Gi, - - - -             | ''      | ''          | Burstable",
                "- - 1 1Gi                      | - - - - | ''          | Burstable",
                "- - - -                        | - 1Mi - - | ''        | Burstable",
                "- - - -                        | ''      | - - 1 1Gi   | Guaranteed",
                "- - 1 1Gi                      | ''      | 100m - - -  | Burstable",
            })
    void theClassFollowsFromRequestsAndLimits(String containers, String initial, String whole, String qosClass) {
        Document pod = Document.of(Map.of(
                "spec",
                Map.of(
                        "containers",
                        containers(containers),
                        "initContainers",
                        containers(initial),
                        "resources",
                        whole.isEmpty() ? Map.of() : resources(whole))));
        assertThat(QualityOfService.of(pod)).isEqualTo(qosClass);
    }

    @Test
    void onlyProcessorAndMemoryCount() {
        Map<String, Object> disk = Map.of("resources", Map.of("limits", Map.of("ephemeral-storage", "1Gi")));
        Document pod = Document.of(Map.of("spec", Map.of("containers", List.of(disk))));
        assertThat(QualityOfService.of(pod)).isEqualTo("BestEffort");
    }
}
