// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.simulation.world.CallFault;
import dev.mooring.simulation.world.Trace.CallEntry;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A back-end was called, or was not.
 *
 * @param place where it stands
 * @param plugin which back-end
 * @param operation which operation
 * @param volume for which volume; empty for any
 * @param node on which node; empty for any place
 * @param times how often exactly; absent for at least once
 * @param wanted whether the call is expected; else its absence
 */
record CallExpected(
        ScenarioPlace place,
        String plugin,
        String operation,
        String volume,
        String node,
        Optional<Long> times,
        boolean wanted)
        implements Expectation {
    @Override
    public Optional<String> failure(StepOutcome outcome) {
        List<CallEntry> calls = outcome.trace().calls();
        long count = calls.stream().filter(this::matches).count();
        boolean holds = wanted ? times.map(exactly -> count == exactly).orElse(count > 0) : count == 0;
        if (holds) {
            return Optional.empty();
        }
        String expected =
                !wanted ? "none" : times.map(exactly -> exactly + " times").orElse("at least once");
        return Optional.of("calls of " + plugin + " " + operation + (volume.isEmpty() ? "" : " for " + volume)
                + (node.isEmpty() ? "" : " on " + node) + ": expected " + expected + ", actual " + count
                + " times; calls of this step: " + shown(calls));
    }

    private boolean matches(CallEntry call) {
        return call.plugin().equals(plugin)
                && CallFault.isAbout(operation, node, call.operation())
                && (volume.isEmpty() || call.volume().equals(volume))
                && (node.isEmpty() || call.node().equals(node));
    }

    private static String shown(List<CallEntry> calls) {
        if (calls.isEmpty()) {
            return "none";
        }
        return calls.stream()
                .map(call -> call.plugin() + " " + call.operation() + " " + call.volume()
                        + (call.node().isEmpty() ? "" : " on " + call.node()) + " (" + call.outcome() + ")")
                .distinct()
                .collect(Collectors.joining(", "));
    }
}
