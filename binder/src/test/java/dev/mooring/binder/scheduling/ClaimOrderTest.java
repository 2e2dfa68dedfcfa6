// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static dev.mooring.binder.scheduling.SchedulingObjects.claim;
import static dev.mooring.binder.scheduling.SchedulingObjects.local;
import static dev.mooring.binder.scheduling.SchedulingObjects.node;
import static dev.mooring.binder.scheduling.SchedulingObjects.pod;
import static dev.mooring.binder.scheduling.SchedulingObjects.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.Pod;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which of a pod's claims chooses its volume first (semantics/binder §3.6 S2, T6). */
class ClaimOrderTest {
    @ParameterizedTest(name = "{0} asks for {1}, {2} for {3}: {4} chooses first")
    @CsvSource({
        "small, 1Gi, large, 2Gi, small",
        "large, 2Gi, small, 1Gi, small",
        "a, 1Gi, b, 1Gi, a",
        "b, 1Gi, a, 1Gi, a",
        "b, 1Gi, a, 1024Mi, a"
    })
    void theSmallestRequestChoosesFirst(String one, String size, String other, String otherSize, String first) {
        Node n1 = node("n1");
        Pod pod = pod("p", one, other);
        Known known = Known.of(
                n1,
                pod,
                local(),
                claim(one, size),
                claim(other, otherSize),
                volume("tight", "2Gi"),
                volume("roomy", "3Gi"));
        assertThat(new PodFilters(pod, known.view()).plan(n1).bindings())
                .extracting(binding -> binding.claim().name() + " " + binding.volume())
                .containsExactly(first + " tight", (first.equals(one) ? other : one) + " roomy");
    }
}
