// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import java.util.Optional;

/** There is no such object. */
record ObjectAbsent(ScenarioPlace place, ObjectRef ref) implements Expectation {
    @Override
    public Optional<String> failure(StepOutcome outcome) {
        return outcome.find(ref).map(actual -> ref + ": expected to be absent, actual: it exists");
    }
}
