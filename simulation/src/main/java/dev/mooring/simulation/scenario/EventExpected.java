// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.simulation.world.Trace.EventEntry;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An event was written, or was not.
 *
 * @param place where it stands
 * @param ref about which object
 * @param type the event's type; empty for any
 * @param reason the event's reason; empty for any
 * @param message a part of the message; empty for any
 * @param wanted whether the event is expected; else its absence
 */
record EventExpected(ScenarioPlace place, ObjectRef ref, String type, String reason, String message, boolean wanted)
        implements Expectation {
    @Override
    public Optional<String> failure(StepOutcome outcome) {
        List<EventEntry> about = outcome.trace().events().stream()
                .filter(event -> event.kind().equals(ref.kind().name())
                        && event.namespace().equals(ref.key().namespace())
                        && event.name().equals(ref.key().name()))
                .toList();
        List<EventEntry> matching = about.stream().filter(this::matches).toList();
        if (matching.isEmpty() != wanted) {
            return Optional.empty();
        }
        String expected = (wanted ? "an event " : "no event ") + type + " " + reason
                + (message.isEmpty() ? "" : " with '" + message + "'");
        return Optional.of(ref + ": expected " + expected + ", actual: " + shown(wanted ? about : matching));
    }

    private boolean matches(EventEntry event) {
        return (type.isEmpty() || event.type().equals(type))
                && (reason.isEmpty() || event.reason().equals(reason))
                && event.message().contains(message);
    }

    private static String shown(List<EventEntry> events) {
        if (events.isEmpty()) {
            return "no event";
        }
        return events.stream()
                .map(event -> event.type() + " " + event.reason() + " '" + event.message() + "'")
                .collect(Collectors.joining("; "));
    }
}
