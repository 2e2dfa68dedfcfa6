// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.metrics;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Values by label values, in order of those. Not thread-safe. */
final class Counters {
    private static final Comparator<List<String>> ORDER = Counters::compare;

    private final List<String> labels;
    private final Map<List<String>, Double> values = new TreeMap<>(ORDER);

    Counters(String... labels) {
        this.labels = List.of(labels);
    }

    private static int compare(List<String> a, List<String> b) {
        for (int i = 0; i < a.size(); i++) {
            int order = a.get(i).compareTo(b.get(i));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    /** Counts one more. */
    Counters count(String... labelValues) {
        values.merge(List.of(labelValues), 1.0, Double::sum);
        return this;
    }

    /** Keeps the greatest value. */
    void max(double value, String... labelValues) {
        values.merge(List.of(labelValues), value, Math::max);
    }

    /** The label values for which there is a value, in their order. */
    Metric as(String name, Metric.Type type, String help) {
        List<Sample> samples = new ArrayList<>();
        values.forEach((labelValues, value) -> samples.add(new Sample(name, labelled(labels, labelValues), value)));
        return new Metric(name, type, help, samples);
    }

    static Map<String, String> labelled(List<String> names, List<String> values) {
        Map<String, String> labelled = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            labelled.put(names.get(i), values.get(i));
        }
        return labelled;
    }
}
