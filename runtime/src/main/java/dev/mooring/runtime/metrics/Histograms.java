// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * Durations by label values, in the buckets that Kubernetes has for storage operations: 0.1 s to 10 min. Not thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Histograms {
    private static final double[] BOUNDS = {.1, .25, .5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600};

    private final List<String> labels;
    private final Map<List<String>, Histogram> histograms = new TreeMap<>(Counters.ORDER);

    private static final class Histogram {
        final long[] buckets = new long[BOUNDS.length];
        long count;
        double sum;
    }

    /**
     * No values yet.
     *
     * @param labels the names of the labels, in their order
     */
    public Histograms(String... labels) {
        this.labels = List.of(labels);
    }

    /** Takes one more duration into account. */
    public void observe(double seconds, String... labelValues) {
        Histogram histogram = histograms.computeIfAbsent(List.of(labelValues), values -> new Histogram());
        histogram.count++;
        histogram.sum += seconds;
        for (int i = 0; i < BOUNDS.length; i++) {
            if (seconds <= BOUNDS[i]) {
                histogram.buckets[i]++;
            }
        }
    }

    /** The label values for which there is a value, in their order. */
    public Metric as(String name, String help) {
        List<Sample> samples = new ArrayList<>();
        histograms.forEach((values, histogram) -> {
            for (int i = 0; i < BOUNDS.length; i++) {
                samples.add(bucket(name, values, bound(BOUNDS[i]), histogram.buckets[i]));
            }
            samples.add(bucket(name, values, "+Inf", histogram.count));
            Map<String, String> plain = Counters.labelled(labels, values);
            samples.add(new Sample(name + "_sum", plain, histogram.sum));
            samples.add(new Sample(name + "_count", plain, histogram.count));
        });
        return new Metric(name, Metric.Type.HISTOGRAM, help, samples);
    }

    private Sample bucket(String name, List<String> values, String bound, long count) {
        Map<String, String> labelled = Counters.labelled(labels, values);
        labelled.put("le", bound);
        return new Sample(name + "_bucket", labelled, count);
    }

    /** As Prometheus' own clients write it: no fraction for a whole number. */
    private static String bound(double bound) {
        return bound == Math.rint(bound) ? Long.toString((long) bound) : Double.toString(bound);
    }
}
