// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import java.util.List;

/**
 * What came of a scenario.
 *
 * @param scenario its name
 * @param steps the steps that were played
 */
public record PlayReport(String scenario, List<StepReport> steps) {
    /** Copies the list. */
    public PlayReport {
        steps = List.copyOf(steps);
    }

    /** Whether everything held. */
    public boolean passed() {
        return steps.stream().allMatch(step -> step.failures().isEmpty());
    }
}
