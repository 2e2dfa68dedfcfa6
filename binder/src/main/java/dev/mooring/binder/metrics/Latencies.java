// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.metrics;

import dev.mooring.runtime.metrics.Histograms;
import dev.mooring.runtime.metrics.Metric;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How long operations took from their first start to their last success, over all attempts between: the timestamp cache of
 * Kubernetes' volume controllers and its histogram. Not thread-safe.
 */
final class Latencies {
    private static final double NANOS = Duration.ofSeconds(1).toNanos();

    private final Map<String, Start> running = new HashMap<>();
    private final Histograms finished = new Histograms("plugin_name", "operation_name");

    private record Start(String plugin, String operation, long nanos) {}

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
        finished.observe((nanos - start.nanos()) / NANOS, start.plugin(), start.operation());
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
        return finished.as(name, help);
    }
}
