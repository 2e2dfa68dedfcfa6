// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.simulation.world.Trace;
import dev.mooring.storage.document.Document;
import java.time.Duration;
import java.util.List;

/**
 * What came of a step.
 *
 * @param name the step's name
 * @param time how much virtual time had passed at its end
 * @param objects the objects at its end, by kind, namespace and name
 * @param events the events of this step
 * @param writes the writes of controllers and agents
 * @param calls the calls to back-ends
 * @param failures what did not hold
 */
public record StepReport(
        String name,
        Duration time,
        List<Document> objects,
        List<Trace.EventEntry> events,
        List<Trace.WriteEntry> writes,
        List<Trace.CallEntry> calls,
        List<String> failures) {
    /** Copies the lists. */
    public StepReport {
        objects = List.copyOf(objects);
        events = List.copyOf(events);
        writes = List.copyOf(writes);
        calls = List.copyOf(calls);
        failures = List.copyOf(failures);
    }
}
