// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.simulation.virtual.Durations;
import dev.mooring.simulation.world.Trace;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A report as one JSON document, the same bytes for the same report on every machine. */
public final class JsonReport {
    private JsonReport() {}

    /** Writes the document, with a line break at its end. */
    public static String write(PlayReport report) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("scenario", report.scenario());
        document.put("passed", report.passed());
        document.put("steps", all(report.steps(), JsonReport::step));
        return ScenarioJson.pretty(document);
    }

    private static Object step(StepReport step) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", step.name());
        fields.put("time", Durations.format(step.time()));
        fields.put("objects", all(step.objects(), Documents::ordered));
        fields.put("events", all(step.events(), JsonReport::event));
        fields.put("writes", all(step.writes(), JsonReport::write));
        fields.put("calls", all(step.calls(), JsonReport::call));
        fields.put("failures", step.failures());
        return fields;
    }

    private static <T> List<Object> all(List<T> elements, Function<T, Object> mapping) {
        return elements.stream().map(mapping).toList();
    }

    private static Object event(Trace.EventEntry event) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("kind", event.kind());
        fields.put("namespace", event.namespace());
        fields.put("name", event.name());
        fields.put("type", event.type());
        fields.put("reason", event.reason());
        fields.put("message", event.message());
        return fields;
    }

    private static Object write(Trace.WriteEntry write) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("verb", write.verb());
        fields.put("kind", write.kind());
        fields.put("namespace", write.namespace());
        fields.put("name", write.name());
        fields.put("subresource", write.subresource());
        fields.put("outcome", write.outcome());
        return fields;
    }

    private static Object call(Trace.CallEntry call) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("plugin", call.plugin());
        fields.put("operation", call.operation());
        fields.put("volume", call.volume());
        fields.put("node", call.node());
        fields.put("outcome", call.outcome());
        return fields;
    }
}
