// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import java.util.List;

/**
 * What came of a scenario.
 *
 * @param scenario its name
 * @param steps the steps that were played
 * @param warnings of fields that no kind has, each with its place
 */
public record PlayReport(String scenario, List<StepReport> steps, List<String> warnings) {
    /** Copies the lists. */
    public PlayReport {
        steps = List.copyOf(steps);
        warnings = List.copyOf(warnings);
    }

    /** Without warnings. */
    PlayReport(String scenario, List<StepReport> steps) {
        this(scenario, steps, List.of());
    }

    /** The same with warnings. */
    PlayReport withWarnings(List<String> newWarnings) {
        return new PlayReport(scenario, steps, newWarnings);
    }

    /** Whether everything held. */
    public boolean passed() {
        return steps.stream().allMatch(step -> step.failures().isEmpty());
    }
}
