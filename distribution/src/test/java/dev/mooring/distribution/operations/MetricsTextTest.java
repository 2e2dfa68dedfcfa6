// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.metrics.Counters;
import dev.mooring.runtime.metrics.Histograms;
import dev.mooring.runtime.metrics.Metric;
import java.util.List;
import org.junit.jupiter.api.Test;

class MetricsTextTest {
    @Test
    void keepsTheNamesThatKubernetesHas() {
        Metric right = new Counters("plugin_name").count("nfs").as("errors_total", Metric.Type.COUNTER, "Errors");
        Metric odd = new Counters("plugin_name")
                .count("nfs")
                .as("volume_operation_total_errors", Metric.Type.COUNTER, "Errors");

        assertThat(MetricsText.of(List.of(right, odd)).lines())
                .contains(
                        "# TYPE errors_total counter",
                        "errors_total{plugin_name=\"nfs\"} 1.0",
                        "# TYPE volume_operation_total_errors untyped",
                        "volume_operation_total_errors{plugin_name=\"nfs\"} 1.0");
    }

    @Test
    void writesHistogramsWithCountsThatIncludeTheSmallerBuckets() {
        Histograms histograms = new Histograms("plugin");
        histograms.observe(0.2, "nfs");
        histograms.observe(3, "nfs");
        histograms.observe(10_000, "nfs");

        assertThat(MetricsText.of(List.of(histograms.as("took_seconds", "Time")))
                        .lines())
                .contains(
                        "took_seconds_bucket{plugin=\"nfs\",le=\"0.1\"} 0",
                        "took_seconds_bucket{plugin=\"nfs\",le=\"0.25\"} 1",
                        "took_seconds_bucket{plugin=\"nfs\",le=\"5.0\"} 2",
                        "took_seconds_bucket{plugin=\"nfs\",le=\"+Inf\"} 3",
                        "took_seconds_count{plugin=\"nfs\"} 3",
                        "took_seconds_sum{plugin=\"nfs\"} 10003.2");
    }

    @Test
    void leavesOutWhatHasNoValueAndJoinsWhatHasOneName() {
        Metric none = new Counters("a").as("none", Metric.Type.GAUGE, "None");
        Metric one = new Counters("a").count("1").as("both", Metric.Type.GAUGE, "Both");
        Metric other = new Counters("a").count("2").as("both", Metric.Type.GAUGE, "Other words");

        assertThat(MetricsText.of(List.of(none, one, other)))
                .doesNotContain("none", "Other words")
                .contains("both{a=\"1\"} 1.0", "both{a=\"2\"} 1.0");
    }

    @Test
    void escapesWhatALabelMayHold() {
        Metric odd = new Counters("a").count("x\"y\\z\nw").as("odd", Metric.Type.GAUGE, "Odd");

        assertThat(MetricsText.of(List.of(odd))).contains("odd{a=\"x\\\"y\\\\z\\nw\"} 1.0");
    }
}
