// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.simulation.virtual.Durations;
import dev.mooring.simulation.world.Trace;
import dev.mooring.storage.document.Document;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A report for people: after each step a table of the objects, what changed in it marked, and the events. */
public final class TextReport {
    private static final List<String> HEADER = List.of("KIND", "NAME", "PHASE", "BOUND OR ATTACHED TO");

    private final StringBuilder text = new StringBuilder();

    private TextReport() {}

    /** Writes the report. */
    public static String write(PlayReport report) {
        TextReport writer = new TextReport();
        writer.text.append("scenario ").append(report.scenario()).append('\n');
        Map<String, Document> before = Map.of();
        for (StepReport step : report.steps()) {
            before = writer.step(step, before);
        }
        writer.summary(report);
        return writer.text.toString();
    }

    private Map<String, Document> step(StepReport step, Map<String, Document> before) {
        text.append('\n')
                .append(step.name())
                .append("  [")
                .append(Durations.format(step.time()))
                .append("]\n");
        Map<String, Document> after = new LinkedHashMap<>();
        step.objects().forEach(object -> after.put(Documents.title(object), object));
        table(rows(before, after));
        section("events", step.events().stream().map(TextReport::event).toList());
        section("calls", step.calls().stream().map(TextReport::call).toList());
        for (String failure : step.failures()) {
            text.append("  FAILED  ").append(failure).append('\n');
        }
        return after;
    }

    private static List<List<String>> rows(Map<String, Document> before, Map<String, Document> after) {
        List<List<String>> rows = new ArrayList<>();
        after.forEach((title, object) -> {
            Optional<Document> old = Optional.ofNullable(before.get(title));
            String mark = old.isEmpty() ? "+" : old.get().equals(object) ? " " : "*";
            rows.add(row(mark, object));
        });
        before.forEach((title, object) -> {
            if (!after.containsKey(title)) {
                List<String> gone = new ArrayList<>(row("-", object));
                gone.set(3, "gone");
                gone.set(4, "");
                rows.add(gone);
            }
        });
        return rows;
    }

    private static List<String> row(String mark, Document object) {
        String name = Documents.text(object, "metadata", "name");
        String namespace = Documents.text(object, "metadata", "namespace");
        return List.of(
                mark,
                Documents.text(object, "kind"),
                namespace.isEmpty() ? name : namespace + "/" + name,
                ObjectSummary.phase(object),
                ObjectSummary.boundTo(object));
    }

    private void table(List<List<String>> rows) {
        if (rows.isEmpty()) {
            text.append("  no objects\n");
            return;
        }
        List<List<String>> all = new ArrayList<>();
        List<String> header = new ArrayList<>(List.of(" "));
        header.addAll(HEADER);
        all.add(header);
        all.addAll(rows);
        int[] widths = new int[header.size()];
        for (List<String> row : all) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        all.forEach(row -> line(row, widths));
    }

    private void line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder("  ").append(row.get(0)).append(' ');
        for (int i = 1; i < widths.length; i++) {
            String cell = row.get(i);
            line.append(cell).append(" ".repeat(widths[i] - cell.length() + 2));
        }
        text.append(line.toString().stripTrailing()).append('\n');
    }

    private void section(String title, List<String> lines) {
        if (!lines.isEmpty()) {
            text.append("  ").append(title).append(":\n");
            lines.forEach(line -> text.append("    ").append(line).append('\n'));
        }
    }

    private static String event(Trace.EventEntry event) {
        String name = event.namespace().isEmpty() ? event.name() : event.namespace() + "/" + event.name();
        return event.type() + " " + event.reason() + " " + event.kind() + " " + name + ": "
                + event.message().replace('\n', ' ');
    }

    private static String call(Trace.CallEntry call) {
        return call.plugin() + " " + call.operation() + " " + call.volume()
                + (call.node().isEmpty() ? "" : " on " + call.node()) + ": " + call.outcome();
    }

    private void summary(PlayReport report) {
        long failures = report.steps().stream()
                .mapToLong(step -> step.failures().size())
                .sum();
        text.append('\n');
        if (failures == 0) {
            text.append("passed: ")
                    .append(counted(report.steps().size(), "step"))
                    .append('\n');
        } else {
            text.append("failed: ").append(counted(failures, "expectation")).append(" did not hold\n");
        }
    }

    private static String counted(long count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }
}
