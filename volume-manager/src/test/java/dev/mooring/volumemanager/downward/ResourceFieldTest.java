// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.downward;

import static dev.mooring.volumemanager.machine.Playground.kindOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSpec;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ResourceRequirements;
import dev.mooring.storage.spi.Outcome;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResourceFieldTest {
    private static final Map<String, Quantity> ALLOCATABLE = quantities("cpu", "3920m", "memory", "7Gi");

    private static Map<String, Quantity> quantities(String... pairs) {
        Map<String, Quantity> found = new HashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            found.put(pairs[i], Quantity.parse(pairs[i + 1]));
        }
        return found;
    }

    private static Container container(String name, Map<String, Quantity> requests, Map<String, Quantity> limits) {
        return new Container(name, "image", List.of(), List.of())
                .withResources(Optional.of(new ResourceRequirements(requests, limits)));
    }

    private static Pod pod() {
        Container main = container(
                "main",
                quantities("cpu", "250m", "ephemeral-storage", "1G"),
                quantities("cpu", "1500m", "memory", "64Mi", "hugepages-2Mi", "4Mi"));
        Container first = container("first", Map.of(), quantities("memory", "1025"));
        Container bare = new Container("bare", "image", List.of(), List.of());
        return Pod.of(
                "ns",
                "web",
                PodSpec.EMPTY
                        .withNodeName("n1")
                        .withContainers(List.of(main, bare))
                        .withInitContainers(List.of(first)));
    }

    private static Outcome<String> value(Map<String, ?> ref, Map<String, Quantity> allocatable) {
        Document document = Document.of(ref);
        assertThat(ResourceField.problem(document)).isEmpty();
        return ResourceField.of(document).value(pod(), allocatable);
    }

    @ParameterizedTest
    @CsvSource({
        "main, limits.cpu, '', 2",
        "main, limits.cpu, 1m, 1500",
        "main, limits.cpu, 0, 2",
        "main, requests.cpu, '', 1",
        "main, requests.cpu, 1m, 250",
        "main, limits.memory, '', 67108864",
        "main, limits.memory, 1Mi, 64",
        "main, limits.memory, 1M, 68",
        "main, limits.memory, 1m, 67108864",
        "main, requests.memory, '', 0",
        "main, requests.ephemeral-storage, 1k, 1000000",
        "main, limits.hugepages-2Mi, 1Mi, 4",
        "main, requests.hugepages-2Mi, 1Mi, 0",
        "bare, limits.hugepages-1Gi, '', 0",
        "bare, requests.cpu, '', 0",
        "first, limits.memory, 1Ki, 2",
        "bare, limits.cpu, '', 4",
        "bare, limits.memory, 1Gi, 7",
        "first, limits.cpu, 1m, 3920",
    })
    void numbers(String container, String resource, String divisor, String expected) {
        Map<String, Object> ref = new HashMap<>(Map.of("containerName", container, "resource", resource));
        if (!divisor.isEmpty()) {
            ref.put("divisor", divisor);
        }
        assertThat(value(ref, ALLOCATABLE)).isEqualTo(Outcome.done(expected));
    }

    @Test
    void aLimitThatIsTheNodesIsNotInvented() {
        Outcome<String> answer =
                value(Map.of("containerName", "bare", "resource", "limits.ephemeral-storage"), ALLOCATABLE);
        assertThat(kindOf(answer)).isEqualTo("NOT_FOUND");
        assertThat(answer.message()).contains("\"bare\"", "\"n1\"", "ephemeral-storage", "allocatable");
    }

    @Test
    void aContainerThatThePodDoesNotHaveIsNamed() {
        Outcome<String> answer = value(Map.of("containerName", "other", "resource", "limits.cpu"), ALLOCATABLE);
        assertThat(kindOf(answer)).isEqualTo("NOT_FOUND");
        assertThat(answer.message()).contains("\"other\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "limits", "limits.", "cpu", "limits.hugepages-", "limits.example.com/gpu", "capacity.cpu"})
    void otherResourcesAreRefused(String resource) {
        assertThat(ResourceField.problem(Document.of(Map.of("resource", resource))))
                .hasValueSatisfying(problem -> assertThat(problem).startsWith("resource: "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "x", ""})
    void divisorsThatAreNoneAreRefused(String divisor) {
        assertThat(ResourceField.problem(Document.of(Map.of("resource", "limits.cpu", "divisor", divisor))))
                .hasValueSatisfying(problem -> assertThat(problem).startsWith("divisor: "));
    }
}
