// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.storage.document.Document;
import java.util.List;
import java.util.Optional;

/** An object exists and contains this. */
record ObjectExpected(ScenarioPlace place, ObjectRef ref, Document matches) implements Expectation {
    @Override
    public Optional<String> failure(StepOutcome outcome) {
        Optional<Document> actual = outcome.find(ref);
        if (actual.isEmpty()) {
            return Optional.of(ref + ": expected to exist, actual: it does not exist");
        }
        List<String> differences = Comparison.differences(matches, actual.get());
        return differences.isEmpty() ? Optional.empty() : Optional.of(ref + ": " + String.join("; ", differences));
    }
}
