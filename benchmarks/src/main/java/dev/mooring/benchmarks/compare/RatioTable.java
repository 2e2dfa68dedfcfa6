// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.compare;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The ratios for people: what, how much, and what it shall be; then whatever else was measured and counted. */
public final class RatioTable {
    private RatioTable() {}

    /**
     * A ratio of the table.
     *
     * @param name of the ratio among the findings
     * @param meaning what it compares
     * @param target what it shall be; empty if nothing is wanted
     */
    public record Row(String name, String meaning, String target) {}

    static String of(List<Row> rows, ComparisonFindings findings, Map<String, String> machine) {
        StringBuilder text = new StringBuilder();
        text.append("| ratio | measured | wanted | what it compares |\n|---|---:|---:|---|\n");
        for (Row row : rows) {
            Double value = findings.ratios().get(row.name());
            text.append(String.format(
                    Locale.ROOT,
                    "| `%s` | %s | %s | %s |%n",
                    row.name(),
                    value == null ? "–" : shown(value),
                    row.target(),
                    row.meaning()));
        }
        text.append('\n');
        machine.forEach(
                (key, value) -> text.append(key).append(": ").append(value).append('\n'));
        return text.toString();
    }

    /** A number with as many digits as it is worth. */
    public static String shown(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%,.0f", value);
    }
}
