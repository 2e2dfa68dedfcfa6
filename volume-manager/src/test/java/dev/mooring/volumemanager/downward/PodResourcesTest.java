// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.downward;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSpec;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ResourceRequirements;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodResourcesTest {
    private static Optional<ResourceRequirements> memory(String limit) {
        return limit.equals("-")
                ? Optional.empty()
                : Optional.of(ResourceRequirements.EMPTY.withLimits(Map.of("memory", Quantity.parse(limit))));
    }

    /** Limits of containers, separated by blanks; {@code -} for none, {@code *} in front of one that goes on running. */
    private static List<Container> containers(String limits) {
        return Stream.of(limits.split(" "))
                .filter(limit -> !limit.isEmpty())
                .map(limit -> new Container("c", "image", List.of(), List.of())
                        .withResources(memory(limit.replace("*", "")))
                        .withRestartPolicy(limit.startsWith("*") ? Optional.of("Always") : Optional.empty()))
                .toList();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "one container, 100, '', -, '', 100",
        "those that run together are added, 100 50, '', -, '', 150",
        "one without a limit is not bounded, 100 -, '', -, '', -",
        "a limit of nothing is none, 100 0, '', -, '', -",
        "no container is no bound, '', '', -, '', -",
        "one that ran before does not count if it is smaller, 100 50, 120, -, '', 150",
        "one that ran before counts if it is larger, 100, 120 80, -, '', 120",
        "one before without a limit, 100, -, -, '', -",
        "one that goes on running is added, 100, *50, -, '', 150",
        "and to those that come after it, 100, *50 120, -, '', 170",
        "but not to those that come before it, 100, 120 *50, -, '', 150",
        "the limit of the pod wins, 100 50, '', 70, '', 70",
        "and is enough, 100 -, '', 70, '', 70",
        "what the pod costs besides is added, 100, '', -, 10, 110",
        "but bounds nothing alone, -, '', -, 10, -",
        "of other notations, 1Ki, '', -, 1k, 2024",
    })
    void limits(String rule, String running, String before, String pod, String overhead, String expected) {
        PodSpec spec = PodSpec.EMPTY
                .withContainers(containers(running))
                .withInitContainers(containers(before))
                .withResources(memory(pod))
                .withOverhead(overhead.isEmpty() ? Map.of() : Map.of("memory", Quantity.parse(overhead)));
        assertThat(PodResources.limit(Pod.of("ns", "web", spec), "memory"))
                .as(rule)
                .isEqualTo(expected.equals("-") ? Optional.empty() : Optional.of(Quantity.parse(expected)));
    }
}
