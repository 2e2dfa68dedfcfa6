// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.operations;

import dev.mooring.runtime.metrics.Metric;
import dev.mooring.runtime.metrics.Sample;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Metrics in Prometheus' text format. Pure; thread-safe. */
public final class MetricsText {
    /** The format's media type. */
    public static final String CONTENT_TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

    private static final String TOTAL = "_total";

    private MetricsText() {}

    /** The metrics that have a value; of two metrics with one name the samples of both, under the words of the first. */
    public static String of(List<Metric> metrics) {
        Map<String, Metric> byName = new LinkedHashMap<>();
        metrics.stream()
                .filter(metric -> !metric.samples().isEmpty())
                .forEach(metric -> byName.merge(metric.name(), metric, MetricsText::both));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            List<MetricSnapshot> snapshots =
                    byName.values().stream().map(MetricsText::snapshot).toList();
            PrometheusTextFormatWriter.create()
                    .write(out, new MetricSnapshots(snapshots), EscapingScheme.UNDERSCORE_ESCAPING);
        } catch (IOException e) {
            throw new UncheckedIOException("a buffer in memory refused to be written", e);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    private static Metric both(Metric one, Metric other) {
        List<Sample> samples = new ArrayList<>(one.samples());
        samples.addAll(other.samples());
        return new Metric(one.name(), one.type(), one.help(), samples);
    }

    private static MetricSnapshot snapshot(Metric metric) {
        return switch (metric.type()) {
            case COUNTER -> metric.name().endsWith(TOTAL) ? counter(metric) : untyped(metric);
            case GAUGE -> gauge(metric);
            case HISTOGRAM -> histogram(metric);
        };
    }

    private static MetricSnapshot counter(Metric metric) {
        String base = metric.name().substring(0, metric.name().length() - TOTAL.length());
        CounterSnapshot.Builder builder = CounterSnapshot.builder().name(base).help(metric.help());
        metric.samples()
                .forEach(sample -> builder.dataPoint(CounterSnapshot.CounterDataPointSnapshot.builder()
                        .labels(labels(sample.labels()))
                        .value(sample.value())
                        .build()));
        return builder.build();
    }

    /** Some of Kubernetes' counters do not end as the format wants counters to; their names count for more than their type. */
    private static MetricSnapshot untyped(Metric metric) {
        UnknownSnapshot.Builder builder =
                UnknownSnapshot.builder().name(metric.name()).help(metric.help());
        metric.samples()
                .forEach(sample -> builder.dataPoint(UnknownSnapshot.UnknownDataPointSnapshot.builder()
                        .labels(labels(sample.labels()))
                        .value(sample.value())
                        .build()));
        return builder.build();
    }

    private static MetricSnapshot gauge(Metric metric) {
        GaugeSnapshot.Builder builder =
                GaugeSnapshot.builder().name(metric.name()).help(metric.help());
        metric.samples()
                .forEach(sample -> builder.dataPoint(GaugeSnapshot.GaugeDataPointSnapshot.builder()
                        .labels(labels(sample.labels()))
                        .value(sample.value())
                        .build()));
        return builder.build();
    }

    private static MetricSnapshot histogram(Metric metric) {
        Map<Map<String, String>, Buckets> byLabels = new LinkedHashMap<>();
        for (Sample sample : metric.samples()) {
            Map<String, String> plain = new LinkedHashMap<>(sample.labels());
            String bound = plain.remove("le");
            Buckets buckets = byLabels.computeIfAbsent(plain, labels -> new Buckets());
            if (bound != null) {
                buckets.add(bound, sample.value());
            } else if (sample.name().endsWith("_sum")) {
                buckets.sum = sample.value();
            }
        }
        HistogramSnapshot.Builder builder =
                HistogramSnapshot.builder().name(metric.name()).help(metric.help());
        byLabels.forEach((labels, buckets) -> builder.dataPoint(HistogramSnapshot.HistogramDataPointSnapshot.builder()
                .classicHistogramBuckets(ClassicHistogramBuckets.of(buckets.bounds, buckets.counts))
                .labels(labels(labels))
                .sum(buckets.sum)
                .build()));
        return builder.build();
    }

    private static Labels labels(Map<String, String> labels) {
        Labels.Builder builder = Labels.builder();
        labels.forEach(builder::label);
        return builder.build();
    }

    /** Each bucket's own count, from counts that include the buckets before. */
    private static final class Buckets {
        private final List<Double> bounds = new ArrayList<>();
        private final List<Long> counts = new ArrayList<>();
        private long before;
        private double sum;

        void add(String bound, double count) {
            bounds.add(bound.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(bound));
            counts.add((long) count - before);
            before = (long) count;
        }
    }
}
