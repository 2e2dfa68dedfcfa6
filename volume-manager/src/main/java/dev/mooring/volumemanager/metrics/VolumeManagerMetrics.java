// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.metrics;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.Dispatch;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.runtime.metrics.Counters;
import dev.mooring.runtime.metrics.Histograms;
import dev.mooring.runtime.metrics.Metric;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.volumemanager.wanted.WantedVolume;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The metrics of semantics/attach-and-mount §3.13 and §1.14 for one node. Hand it to the node's runtime as a listener, and ask for the
 * values on the decider's thread, with records that were read elsewhere:
 *
 * <pre>{@code
 * Collection<RecordEntry> standing = RecordLog.standing(log.replay()).values();
 * runtime.ask(caches -> metrics.collect(caches, standing))
 * }</pre>
 *
 * <p>Latencies live as long as this object; gauges are counted when they are asked for. Confined to the decider's thread.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class VolumeManagerMetrics implements LoopListener {
    private static final String UNKNOWN = "N/A";
    /** What Kubernetes calls what a node does; staging is a part of mounting there, and has a name of its own here. */
    private static final Map<String, String> KUBERNETES_NAMES = Map.of(
            "publish", "volume_mount",
            "unpublish", "volume_unmount",
            "stage", "mount_device",
            "unstage", "unmount_device",
            "expand", "volume_fs_resize");

    private final PluginRegistry plugins;
    private final String node;
    private final Histograms operations = new Histograms("volume_plugin", "operation_name", "status", "migrated");

    /**
     * Makes metrics that stand at zero.
     *
     * @param plugins the node's, with {@link dev.mooring.volumemanager.HostVolumes}; never null
     * @param node the node's name; pods of others are not counted
     */
    public VolumeManagerMetrics(PluginRegistry plugins, String node) {
        this.plugins = plugins;
        this.node = node;
    }

    @Override
    public boolean measures() {
        return true;
    }

    @Override
    public void onFinished(Dispatch dispatch, EffectResult result, Duration took) {
        if (dispatch.effect() instanceof Effect.Perform perform && KUBERNETES_NAMES.containsKey(perform.operation())) {
            operations.observe(
                    took.toNanos() / 1e9,
                    perform.call().plugin().value(),
                    KUBERNETES_NAMES.getOrDefault(perform.operation(), perform.operation()),
                    result.succeeded() ? "success" : "fail-unknown",
                    "false");
        }
    }

    /**
     * All metrics with their values now, in a fixed order; those without a value so far have no samples.
     *
     * @param caches the caches of the loop that this listens to; never null
     * @param standing what the node's records say; never null
     */
    public List<Metric> collect(Caches caches, Collection<? extends RecordEntry> standing) {
        Counters volumes = new Counters("plugin_name", "state");
        for (Pod pod : caches.of(Kinds.POD).all()) {
            if (isWanted(pod)) {
                WantedVolume.of(pod, plugins)
                        .forEach(volume -> volumes.count(pluginOf(volume, caches), "desired_state_of_world"));
            }
        }
        Counters records = new Counters("phase");
        for (RecordEntry entry : standing) {
            records.count(entry.phase().name());
            Optional<RecordEntry.Publish> publish = entry.match(Optional::of, stage -> Optional.empty());
            if (publish.isPresent() && entry.phase() == RecordPhase.DONE) {
                volumes.count(entry.volumeId().plugin().value(), "actual_state_of_world");
            }
        }
        return List.of(
                volumes.as("volume_manager_total_volumes", Metric.Type.GAUGE, "Number of volumes in Volume Manager"),
                records.as(
                        "mooring_node_records",
                        Metric.Type.GAUGE,
                        "Number of things that the node did and has not undone, or has begun to do or to undo"),
                operations.as("storage_operation_duration_seconds", "Storage operation duration"));
    }

    private boolean isWanted(Pod pod) {
        PodPhase phase = pod.status().phase();
        return pod.spec().nodeName().equals(node)
                && !pod.metadata().isDeleting()
                && phase != PodPhase.SUCCEEDED
                && phase != PodPhase.FAILED;
    }

    private String pluginOf(WantedVolume volume, Caches caches) {
        Optional<VolumeSource> source =
                volume.claim().map(claim -> claimed(claim, caches)).orElse(volume.inline());
        return source.flatMap(plugins::serving)
                .map(plugin -> plugin.describe().name().value())
                .orElse(UNKNOWN);
    }

    private static Optional<VolumeSource> claimed(ObjectKey claim, Caches caches) {
        return caches.get(Kinds.PERSISTENT_VOLUME_CLAIM, claim)
                .filter(found -> !found.spec().volumeName().isEmpty())
                .flatMap(found -> caches.get(
                        Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(found.spec().volumeName())))
                .flatMap(found -> found.spec().source());
    }
}
