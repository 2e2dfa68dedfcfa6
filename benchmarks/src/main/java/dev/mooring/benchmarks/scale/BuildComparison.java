// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.scale;

import dev.mooring.benchmarks.publish.MeasuredValues;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Figures of several builds, measured in turn on one machine: their medians, and how the first build compares with each other one. */
final class BuildComparison {
    private final List<String> builds;
    private final Map<String, List<List<Double>>> figures = new LinkedHashMap<>();

    /**
     * Nothing is measured yet.
     *
     * @param builds what they are called; the first is compared with the others
     */
    BuildComparison(List<String> builds) {
        this.builds = List.copyOf(builds);
    }

    /**
     * Takes in what one run has measured.
     *
     * @param build which build ran
     * @param measured the figures by their names
     */
    void add(int build, Map<String, Double> measured) {
        measured.forEach((name, value) -> figures.computeIfAbsent(
                        name,
                        unused -> builds.stream()
                                .<List<Double>>map(each -> new ArrayList<>())
                                .toList())
                .get(build)
                .add(value));
    }

    /** A line for each figure that all builds have: the median of each, and the first in parts of each other. */
    String table() {
        StringBuilder text = new StringBuilder();
        for (int build = 0; build < builds.size(); build++) {
            text.append(String.format(Locale.ROOT, "[%d] %s%n", build + 1, builds.get(build)));
        }
        figures.forEach((name, values) -> {
            if (values.stream().noneMatch(List::isEmpty)) {
                line(
                        text,
                        name,
                        values.stream()
                                .map(each -> new MeasuredValues(each).median())
                                .toList());
            }
        });
        return text.toString();
    }

    private static void line(StringBuilder text, String name, List<Double> medians) {
        text.append(String.format(Locale.ROOT, "%-44s", name));
        for (int build = 0; build < medians.size(); build++) {
            text.append(String.format(Locale.ROOT, " [%d] %9.3f", build + 1, medians.get(build)));
        }
        for (int build = 1; build < medians.size(); build++) {
            text.append(String.format(Locale.ROOT, "  [1]/[%d] %.2f", build + 1, medians.get(0) / medians.get(build)));
        }
        text.append(System.lineSeparator());
    }
}
