// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.simulation.scenario.StepOutcome.Refused;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An act of the user was refused.
 *
 * @param place where it stands
 * @param verb the act
 * @param ref the object
 * @param reason in the API server's word
 * @param message a part of the message; empty for any
 */
record RefusedExpected(ScenarioPlace place, String verb, ObjectRef ref, String reason, String message)
        implements Expectation {
    @Override
    public Optional<String> failure(StepOutcome outcome) {
        List<Refused> named = outcome.refusals().stream().filter(this::isAbout).toList();
        List<Refused> matching = named.stream()
                .filter(refused ->
                        refused.reason().equals(reason) && refused.message().contains(message))
                .toList();
        if (!matching.isEmpty()) {
            outcome.expected(matching);
            return Optional.empty();
        }
        outcome.expected(named); // told of below
        String actual = named.isEmpty()
                ? "it was not refused"
                : named.stream()
                        .map(refused -> refused.reason() + ": " + refused.message())
                        .collect(Collectors.joining("; "));
        return Optional.of(verb + " of " + ref + ": expected to be refused with " + reason
                + (message.isEmpty() ? "" : " '" + message + "'") + ", actual: " + actual);
    }

    private boolean isAbout(Refused refused) {
        return refused.verb().equals(verb)
                && refused.kind().equals(ref.kind().name())
                && refused.namespace().equals(ref.key().namespace())
                && refused.name().equals(ref.key().name());
    }
}
