// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.metrics;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apiguardian.api.API;

/** Values by label values, in order of those. Not thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Counters {
    static final Comparator<List<String>> ORDER = Counters::compare;

    private final List<String> labels;
    private final Map<List<String>, Double> values = new TreeMap<>(ORDER);

    /**
     * No values yet.
     *
     * @param labels the names of the labels, in their order
     */
    public Counters(String... labels) {
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
    public Counters count(String... labelValues) {
        return add(1, labelValues);
    }

    /** Adds to the value. */
    public Counters add(double amount, String... labelValues) {
        values.merge(List.of(labelValues), amount, Double::sum);
        return this;
    }

    /** Counts one less, for what there is now and then is not; of what is not there any more there is no value. */
    public void uncount(String... labelValues) {
        values.computeIfPresent(List.of(labelValues), (same, value) -> value <= 1 ? null : value - 1);
    }

    /** Keeps the greatest value. */
    public void max(double value, String... labelValues) {
        values.merge(List.of(labelValues), value, Math::max);
    }

    /** The label values for which there is a value, in their order. */
    public Metric as(String name, Metric.Type type, String help) {
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
