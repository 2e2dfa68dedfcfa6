// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How long operations took from their first start to their last success, over all attempts between: the timestamp cache of
 * Kubernetes' volume controllers and its histogram. Not thread-safe.
 */
final class Latencies {
    private static final double[] BOUNDS = {.1, .25, .5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600};
    private static final double NANOS = Duration.ofSeconds(1).toNanos();

    private final Map<String, Start> running = new HashMap<>();
    private final Map<String, Map<String, Histogram>> finished = new TreeMap<>();

    private record Start(String plugin, String operation, long nanos) {}

    private static final class Histogram {
        final long[] buckets = new long[BOUNDS.length];
        long count;
        double sum;
    }

    /** An operation begins, unless it began before and has not ended. */
    void begin(String key, String plugin, String operation, long nanos) {
        running.putIfAbsent(key, new Start(plugin, operation, nanos));
    }

    /** An operation has done what it began for. Does nothing if none began. */
    void succeed(String key, long nanos) {
        Start start = running.remove(key);
        if (start == null) {
            return;
        }
        double seconds = (nanos - start.nanos()) / NANOS;
        Histogram histogram = finished.computeIfAbsent(start.plugin(), plugin -> new TreeMap<>())
                .computeIfAbsent(start.operation(), operation -> new Histogram());
        histogram.count++;
        histogram.sum += seconds;
        for (int i = 0; i < BOUNDS.length; i++) {
            if (seconds <= BOUNDS[i]) {
                histogram.buckets[i]++;
            }
        }
    }

    /** An operation is of no interest any more. */
    void forget(String key) {
        running.remove(key);
    }

    /** The plugin of an operation that began and has not ended. */
    Optional<String> pluginOf(String key) {
        return Optional.ofNullable(running.get(key)).map(Start::plugin);
    }

    int running() {
        return running.size();
    }

    Metric as(String name, String help) {
        List<Sample> samples = new ArrayList<>();
        finished.forEach((plugin, byOperation) -> byOperation.forEach((operation, histogram) -> {
            for (int i = 0; i < BOUNDS.length; i++) {
                samples.add(new Sample(
                        name + "_bucket", labels(plugin, operation, bound(BOUNDS[i])), histogram.buckets[i]));
            }
            samples.add(new Sample(name + "_bucket", labels(plugin, operation, "+Inf"), histogram.count));
            samples.add(new Sample(name + "_sum", labels(plugin, operation, ""), histogram.sum));
            samples.add(new Sample(name + "_count", labels(plugin, operation, ""), histogram.count));
        }));
        return new Metric(name, Metric.Type.HISTOGRAM, help, samples);
    }

    private static Map<String, String> labels(String plugin, String operation, String bound) {
        return bound.isEmpty()
                ? Counters.labelled(List.of("plugin_name", "operation_name"), List.of(plugin, operation))
                : Counters.labelled(List.of("plugin_name", "operation_name", "le"), List.of(plugin, operation, bound));
    }

    /** As Prometheus' own clients write it: no fraction where there is none. */
    private static String bound(double bound) {
        return bound == Math.rint(bound) ? Long.toString((long) bound) : Double.toString(bound);
    }
}
