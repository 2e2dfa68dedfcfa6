// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.operations;

import dev.mooring.runtime.metrics.Metric;
import dev.mooring.runtime.metrics.Sample;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What this process uses, under the names that Prometheus' own clients have. What the machine does not tell is left out. */
public final class ProcessMetrics {
    private ProcessMetrics() {}

    /** The values now. */
    public static List<Metric> now() {
        List<Metric> metrics = new ArrayList<>();
        ProcessHandle.Info self = ProcessHandle.current().info();
        self.totalCpuDuration()
                .map(Duration::toNanos)
                .ifPresent(nanos -> metrics.add(metric(
                        "process_cpu_seconds_total", Metric.Type.COUNTER, "CPU time of this process", nanos / 1e9)));
        self.startInstant()
                .ifPresent(start -> metrics.add(metric(
                        "process_start_time_seconds",
                        Metric.Type.GAUGE,
                        "When this process began, since 1970",
                        start.toEpochMilli() / 1e3)));
        resident()
                .ifPresent(bytes -> metrics.add(
                        metric("process_resident_memory_bytes", Metric.Type.GAUGE, "Memory of this process", bytes)));
        return metrics;
    }

    /**
     * The values now, and those of what runs in this process.
     *
     * @param running asked for its metrics; empty if nothing runs yet
     * @param own what the process counts itself
     */
    public static CompletableFuture<List<Metric>> with(
            Optional<CompletableFuture<List<Metric>>> running, Metric... own) {
        List<Metric> all = now();
        all.addAll(List.of(own));
        return running.orElseGet(() -> CompletableFuture.completedFuture(List.of()))
                .thenApply(theirs -> {
                    all.addAll(theirs);
                    return all;
                });
    }

    private static Metric metric(String name, Metric.Type type, String help, double value) {
        return new Metric(name, type, help, List.of(new Sample(name, Map.of(), value)));
    }

    private static Optional<Double> resident() {
        try {
            return Optional.of((double) ProcessMemory.ofThis().resident());
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
