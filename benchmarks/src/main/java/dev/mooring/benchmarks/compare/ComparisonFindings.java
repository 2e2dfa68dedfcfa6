// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.compare;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * What was measured and counted, by name: ratios (of two times of the same run, without a unit), figures (times and sizes, with the unit
 * at the end of the name) and counts (exact, the same at every run). Not thread-safe.
 */
public final class ComparisonFindings {
    private static final double ROUNDING = 1e4;
    private static final String RATIOS = "ratios";
    private static final String FIGURES = "figures";
    private static final String COUNTS = "counts";

    private final Map<String, Map<String, Double>> sections = new TreeMap<>();

    /** No findings yet. */
    public ComparisonFindings() {}

    /** Notes a ratio. */
    public void ratio(String name, double value) {
        note(RATIOS, name, value);
    }

    /** Notes a time or a size. */
    public void figure(String name, double value) {
        note(FIGURES, name, value);
    }

    /** Notes a count. */
    public void count(String name, long value) {
        note(COUNTS, name, (double) value);
    }

    /** Notes a count of something per something. */
    public void count(String name, double value) {
        note(COUNTS, name, value);
    }

    private void note(String section, String name, double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException(name + " is " + value);
        }
        sections.computeIfAbsent(section, first -> new TreeMap<>()).put(name, value);
    }

    /** The ratios, in order of their names. */
    public Map<String, Double> ratios() {
        return sections.getOrDefault(RATIOS, Map.of());
    }

    /** A figure. */
    public double figure(String name) {
        Double value = sections.getOrDefault(FIGURES, Map.of()).get(name);
        if (value == null) {
            throw new IllegalStateException("not measured: " + name);
        }
        return value;
    }

    /** All times and sizes, in order of their names. */
    public Map<String, Double> figures() {
        return sections.getOrDefault(FIGURES, Map.of());
    }

    /** All counts, in order of their names. */
    public Map<String, Double> counts() {
        return sections.getOrDefault(COUNTS, Map.of());
    }

    /** Writes them for {@link #load}. */
    public void save(Path file) throws IOException {
        Properties lines = new Properties();
        sections.forEach((section, values) ->
                values.forEach((name, value) -> lines.setProperty(section + "/" + name, value.toString())));
        try (Writer writer = Files.newBufferedWriter(file)) {
            lines.store(writer, null);
        }
    }

    /** Adds what {@link #save} has written. */
    public void load(Path file) throws IOException {
        Properties lines = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            lines.load(reader);
        }
        for (String line : lines.stringPropertyNames()) {
            int slash = line.indexOf('/');
            note(line.substring(0, slash), line.substring(slash + 1), Double.parseDouble(lines.getProperty(line)));
        }
    }

    /** One JSON object: a section for each sort, and one about the machine. */
    public String toJson(Map<String, String> machine) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text).useDefaultPrettyPrinter()) {
            json.writeStartObject();
            for (Map.Entry<String, Map<String, Double>> section : sections.entrySet()) {
                json.writeObjectFieldStart(section.getKey());
                for (Map.Entry<String, Double> entry : section.getValue().entrySet()) {
                    json.writeNumberField(entry.getKey(), Math.round(entry.getValue() * ROUNDING) / ROUNDING);
                }
                json.writeEndObject();
            }
            json.writeObjectFieldStart("machine");
            for (Map.Entry<String, String> entry : machine.entrySet()) {
                json.writeStringField(entry.getKey(), entry.getValue());
            }
            json.writeEndObject();
            json.writeEndObject();
        }
        return text.toString();
    }
}
