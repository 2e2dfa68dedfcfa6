// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.metrics;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.Dispatch;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.runtime.metrics.Counters;
import dev.mooring.runtime.metrics.Metric;
import dev.mooring.runtime.metrics.Sample;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.spi.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The binder's metrics under Kubernetes' names (semantics/binder §1.15), and two of our own. Hand it to the runtime as a listener, and
 * ask for the values on the decider's thread:
 *
 * <pre>{@code
 * runtime.ask(caches -> metrics.collect())
 * }</pre>
 *
 * <p>Counters and latencies live as long as this object; gauges are counted as the caches of the
 * loop change that this listens to from its beginning. The latency of an
 * operation runs from its first attempt, for provisioning until the claim is bound, for deletion until the volume has gone; it is of
 * no interest if the claim goes first. Confined to the decider's thread.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class BinderMetrics implements LoopListener {
    private static final String BINDER = "binder";
    private static final String CLAIM = "claim";
    private static final String PROVISION = "provision";
    private static final String DELETE = "delete";

    private final PluginRegistry plugins;
    private final TimeSource time;
    private final BinderGauges gauges;
    private final Latencies latencies = new Latencies();
    private final Counters errors = new Counters("plugin_name", "operation_name");
    private long retroactive;
    private long retroactiveErrors;

    /**
     * Makes metrics that stand at zero.
     *
     * @param plugins the binder's; never null
     * @param time the runtime's; never null
     */
    public BinderMetrics(PluginRegistry plugins, TimeSource time) {
        this.plugins = plugins;
        this.gauges = new BinderGauges(plugins);
        this.time = time;
    }

    /**
     * All metrics with their values now, in a fixed order; those without a value so far have no samples. Takes no time for each object of
     * the cluster.
     */
    public List<Metric> collect() {
        List<Metric> all = new ArrayList<>(gauges.metrics(time.now().wall()));
        String errorHelp = "Total volume operation errors";
        all.add(errors.as("volume_operation_total_errors", Metric.Type.COUNTER, errorHelp));
        all.add(errors.as("volume_operation_errors_total", Metric.Type.COUNTER, errorHelp));
        all.add(latencies.as("volume_operation_total_seconds", "Total volume operation latency"));
        all.add(counter(
                "retroactive_storageclass_total",
                "Number of claims that were given the default class after their creation",
                retroactive));
        all.add(counter(
                "retroactive_storageclass_errors_total",
                "Number of failed attempts to give a claim the default class after its creation",
                retroactiveErrors));
        return List.copyOf(all);
    }

    private static Metric counter(String name, String help, long value) {
        return new Metric(name, Metric.Type.COUNTER, help, List.of(new Sample(name, Map.of(), value)));
    }

    /** How many operations have begun and not ended; for tests. */
    int running() {
        return latencies.running();
    }

    private long nanos() {
        return time.now().monotonicNanos();
    }

    private static String key(ObjectKey claim) {
        return "claim " + claim;
    }

    private static String key(PersistentVolume volume) {
        return "volume " + volume.metadata().name();
    }

    @Override
    public void onEffect(Dispatch dispatch) {
        Key key = dispatch.key();
        if (dispatch.controller().equals(BINDER) && key.type().equals(CLAIM)) {
            provisionerIn(dispatch.effect())
                    .ifPresent(plugin -> latencies.begin(key(key.object()), plugin, PROVISION, nanos()));
        }
    }

    /** Who is asked to provision: a plugin by a call, another process by an annotation, a node by a volume that says so. */
    private Optional<String> provisionerIn(Effect effect) {
        if (effect instanceof Effect.Perform perform) {
            Call call = perform.call();
            return call.operation().equals(PROVISION)
                    ? Optional.of(call.plugin().value())
                    : Optional.empty();
        }
        if (effect instanceof Effect.Update<?> update
                && update.change().base() instanceof PersistentVolumeClaim before
                && update.change().edited() instanceof PersistentVolumeClaim after) {
            Optional<String> asked = after.metadata().annotation(Annotations.STORAGE_PROVISIONER);
            return asked.equals(before.metadata().annotation(Annotations.STORAGE_PROVISIONER))
                    ? Optional.empty()
                    : asked;
        }
        return effect instanceof Effect.Create<?> create && create.value() instanceof PersistentVolume volume
                ? Optional.of(BinderGauges.provisionerOf(volume, plugins))
                : Optional.empty();
    }

    @Override
    public void onChange(ObjectChange<?> change) {
        if (change.concerns(Kinds.PERSISTENT_VOLUME_CLAIM)) {
            gauges.claim(change.as(Kinds.PERSISTENT_VOLUME_CLAIM));
            claimChanged(change.as(Kinds.PERSISTENT_VOLUME_CLAIM));
        } else if (change.concerns(Kinds.PERSISTENT_VOLUME)) {
            gauges.volume(change.as(Kinds.PERSISTENT_VOLUME));
            volumeChanged(change.as(Kinds.PERSISTENT_VOLUME));
        }
    }

    private void claimChanged(ObjectChange<PersistentVolumeClaim> change) {
        if (change.after().isEmpty()) {
            latencies.forget(key(change.key()));
        } else if (change.after().get().status().phase() == ClaimPhase.BOUND) {
            latencies.succeed(key(change.key()), nanos());
        }
    }

    private void volumeChanged(ObjectChange<PersistentVolume> change) {
        PersistentVolume volume = change.latest();
        boolean deletes = BinderGauges.isLeftOver(volume)
                && volume.spec().persistentVolumeReclaimPolicy() == ReclaimPolicy.DELETE;
        if (change.after().isEmpty()) {
            latencies.succeed(key(volume), nanos());
        } else if (deletes) {
            latencies.begin(key(volume), BinderGauges.provisionerOf(volume, plugins), DELETE, nanos());
        } else {
            latencies.forget(key(volume)); // bound again, or to be kept: it is not deleted
        }
    }

    @Override
    public void onResult(Dispatch dispatch, EffectResult result) {
        if (!dispatch.controller().equals(BINDER)) {
            return;
        }
        if (dispatch.effect() instanceof Effect.Perform perform) {
            boolean begun = result.outcome()
                    .filter(outcome -> !(outcome instanceof Outcome.Deferred))
                    .isPresent();
            if (begun && !result.succeeded()) {
                errors.count(perform.call().plugin().value(), perform.call().operation());
            }
        } else if (dispatch.effect().operation().equals("set-default-class")) {
            if (result.succeeded()) {
                retroactive++;
            } else {
                retroactiveErrors++;
            }
        } else if (dispatch.effect() instanceof Effect.Write && !result.succeeded()) {
            writeFailed(dispatch.key());
        }
    }

    /** What goes wrong while something is provisioned for a claim, goes wrong with the provisioning. */
    private void writeFailed(Key key) {
        if (key.type().equals(CLAIM)) {
            latencies.pluginOf(key(key.object())).ifPresent(plugin -> errors.count(plugin, PROVISION));
        }
    }
}
