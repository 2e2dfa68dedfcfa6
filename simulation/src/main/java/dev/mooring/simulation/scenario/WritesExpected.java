// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.simulation.world.Trace.WriteEntry;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Controllers and agents made exactly so many writes. */
record WritesExpected(ScenarioPlace place, long count) implements Expectation {
    @Override
    public Optional<String> failure(StepOutcome outcome) {
        List<WriteEntry> writes = outcome.trace().writes();
        if (writes.size() == count) {
            return Optional.empty();
        }
        String shown = writes.stream()
                .map(write -> write.verb() + " " + write.kind() + " " + write.name()
                        + (write.subresource().isEmpty() ? "" : " " + write.subresource()) + " (" + write.outcome()
                        + ")")
                .collect(Collectors.joining(", "));
        return Optional.of(
                "writes: expected " + count + ", actual " + writes.size() + (shown.isEmpty() ? "" : ": " + shown));
    }
}
