// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import java.util.Optional;

/** Something that has to hold at the end of a step. */
interface Expectation {
    /** Where it stands. */
    ScenarioPlace place();

    /**
     * Checks it.
     *
     * @param outcome what the step did
     * @return expected and actual; empty if it holds
     */
    Optional<String> failure(StepOutcome outcome);
}
