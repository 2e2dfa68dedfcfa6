// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.simulation.world.Trace.ReadEntry;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Controllers and agents asked the store exactly so often for one object. */
record ReadsExpected(ScenarioPlace place, long count) implements Expectation {
    /** A controller that looks at everything reads the same things again and again. */
    private static final int SHOWN = 5;

    @Override
    public Optional<String> failure(StepOutcome outcome) {
        List<ReadEntry> reads = outcome.trace().reads();
        if (reads.size() == count) {
            return Optional.empty();
        }
        String shown = reads.stream()
                .limit(SHOWN)
                .map(read -> read.kind() + " " + read.name())
                .collect(Collectors.joining(", "));
        String more = reads.size() > SHOWN ? ", …" : "";
        return Optional.of(
                "reads: expected " + count + ", actual " + reads.size() + (shown.isEmpty() ? "" : ": " + shown + more));
    }
}
