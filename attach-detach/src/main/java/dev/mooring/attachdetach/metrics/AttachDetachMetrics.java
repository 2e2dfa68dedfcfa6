// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.metrics;

import dev.mooring.attachdetach.control.AttachDetachController;
import dev.mooring.attachdetach.control.Inventory;
import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.Dispatch;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.runtime.plugin.PluginRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * The metrics of semantics/attach-and-mount §1.14 under Kubernetes' names. Hand it to the runtime as a listener, and ask for the values
 * on the decider's thread: {@code runtime.ask(metrics::collect)}. Counters live as long as this object; gauges are counted from the
 * caches when they are asked for. Confined to the decider's thread.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class AttachDetachMetrics implements LoopListener {
    private static final String DURATION = "storage_operation_duration_seconds";
    private static final double[] BUCKETS = {.1, .25, .5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600};

    private final PluginRegistry plugins;
    private final Map<String, Long> forced = new TreeMap<>();
    private final Map<List<String>, long[]> operations =
            new TreeMap<>(java.util.Comparator.comparing(labels -> String.join(" ", labels)));
    private final Map<List<String>, Double> seconds = new LinkedHashMap<>();

    /**
     * Makes metrics that stand at zero.
     *
     * @param plugins the controllers'; never null
     */
    public AttachDetachMetrics(PluginRegistry plugins) {
        this.plugins = plugins;
    }

    @Override
    public boolean measures() {
        return true;
    }

    @Override
    public void onResult(Dispatch dispatch, EffectResult result) {
        if (dispatch.controller().equals(AttachDetachController.NAME) && result.succeeded()) {
            Inventory.forcedBy(dispatch.effect()).ifPresent(reason -> forced.merge(reason, 1L, Long::sum));
        }
    }

    @Override
    public void onFinished(Dispatch dispatch, EffectResult result, Duration took) {
        boolean ours = dispatch.controller().equals(AttachDetachController.NAME);
        if (ours && dispatch.effect() instanceof Effect.Perform perform) {
            List<String> labels = List.of(
                    perform.call().plugin().value(),
                    "volume_" + perform.operation(),
                    result.succeeded() ? "success" : "fail-unknown");
            double time = took.toNanos() / 1e9;
            long[] counts = operations.computeIfAbsent(labels, l -> new long[BUCKETS.length + 1]);
            int bucket = 0;
            while (bucket < BUCKETS.length && time > BUCKETS[bucket]) {
                bucket++;
            }
            counts[bucket]++;
            seconds.merge(labels, time, Double::sum);
        }
    }

    /**
     * All values now, in a fixed order.
     *
     * @param caches the caches of the loop that this listens to; never null
     */
    public List<Reading> collect(Caches caches) {
        List<Reading> all = new ArrayList<>();
        Inventory inventory = Inventory.of(caches, plugins);
        inventory
                .wantedByNode()
                .forEach((at, count) -> all.add(new Reading(
                        "storage_count_attachable_volumes_in_use",
                        labels("node", at.node(), "volume_plugin", at.plugin()),
                        count)));
        total(all, "actual_state_of_world", inventory.attached());
        total(all, "desired_state_of_world", inventory.wanted());
        forced.forEach((reason, count) -> all.add(new Reading(
                "attach_detach_controller_attachdetach_controller_forced_detaches", labels("reason", reason), count)));
        operations.forEach((labels, counts) -> histogram(all, labels, counts));
        return all;
    }

    private static void total(List<Reading> all, String state, Map<String, Long> byPlugin) {
        byPlugin.forEach((plugin, count) -> all.add(new Reading(
                "attachdetach_controller_total_volumes", labels("plugin_name", plugin, "state", state), count)));
    }

    private void histogram(List<Reading> all, List<String> values, long[] counts) {
        Map<String, String> labels = labels(
                "volume_plugin",
                values.get(0),
                "operation_name",
                values.get(1),
                "status",
                values.get(2),
                "migrated",
                "false");
        long sofar = 0;
        for (int i = 0; i <= BUCKETS.length; i++) {
            sofar += counts[i];
            Map<String, String> bucket = new LinkedHashMap<>(labels);
            bucket.put("le", i < BUCKETS.length ? Double.toString(BUCKETS[i]) : "+Inf");
            all.add(new Reading(DURATION + "_bucket", bucket, sofar));
        }
        all.add(new Reading(DURATION + "_sum", labels, seconds.getOrDefault(values, 0.0)));
        all.add(new Reading(DURATION + "_count", labels, sofar));
    }

    private static Map<String, String> labels(String... pairs) {
        Map<String, String> labels = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            labels.put(pairs[i], pairs[i + 1]);
        }
        return labels;
    }
}
