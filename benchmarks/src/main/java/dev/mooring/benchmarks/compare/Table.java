// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.compare;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The ratios for people: what, how much, and what it shall be. */
final class Table {
    private static final List<Row> ROWS = List.of(
            new Row("findBestMatch.growth.1k-1M", "a match, 1,000 to 1,000,000 volumes of 20 sizes", "≤ 4"),
            new Row("findBestMatch.growth.distinct.1k-1M", "the same, all capacities distinct", "≤ 8"),
            new Row("hashmap.growth.1k-1M", "HashMap.get, 1,000 to 1,000,000 names: the memory's part", ""),
            new Row("findBestMatch.growth.vs.hashmap.growth", "the match's growth against that", "≤ 1.5"),
            new Row("findBestMatch.speedup.linear.100k", "a tuned linear scan against a match", "≥ 1,000"),
            new Row("findBestMatch.speedup.sorted.100k", "a sorted list, 99 of 100 bound, against a match", "≥ 100"),
            new Row("selector.speedup.linear.100k", "a linear scan against a match by two labels", "≥ 200"),
            new Row("selector.worst.speedup.linear.100k", "the same when no volume has both labels", "≥ 1"),
            new Row("update.growth.1k-1M", "an update of a volume, 1,000 to 1,000,000 volumes", "≤ 10"),
            new Row("bind.growth.1k-100k", "time per bound pair, 1,000 to 100,000 pairs, worst order", "≤ 2"),
            new Row("claimsFirst.vs.volumesFirst.100k", "claims first against volumes first", "≤ 1.5"),
            new Row("released.slowdown.100k", "100,000 Released volumes beside", "≤ 1.25"));

    private Table() {}

    private record Row(String name, String meaning, String target) {}

    static String of(Findings findings, Map<String, String> machine) {
        StringBuilder text = new StringBuilder();
        text.append("| ratio | measured | wanted | what it compares |\n|---|---:|---:|---|\n");
        for (Row row : ROWS) {
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

    private static String shown(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%,.0f", value);
    }
}
