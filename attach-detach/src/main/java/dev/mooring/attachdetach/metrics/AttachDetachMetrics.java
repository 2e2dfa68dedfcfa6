// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.metrics;

import dev.mooring.attachdetach.control.AttachDetachController;
import dev.mooring.attachdetach.control.AttachmentCounts;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Dispatch;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.runtime.metrics.Counters;
import dev.mooring.runtime.metrics.Histograms;
import dev.mooring.runtime.metrics.Metric;
import java.time.Duration;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The metrics of semantics/attach-and-mount §1.14 under Kubernetes' names. Hand it to the runtime as a listener, and ask for the values
 * on the decider's thread: {@code runtime.ask(caches -> metrics.collect())}. Counters live as long as this object; gauges are counted as what
 * pods want and what is attached changes. Confined to the decider's thread.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class AttachDetachMetrics implements LoopListener {
    private final AttachmentCounts counts;
    private final Counters forced = new Counters("reason");
    private final Histograms operations = new Histograms("volume_plugin", "operation_name", "status", "migrated");

    /**
     * Makes metrics that stand at zero.
     *
     * @param controllers the loop's, among them those of {@link dev.mooring.attachdetach.AttachDetach}, whose gauges they are; never null
     * @throws IllegalArgumentException if none of them attaches
     */
    public AttachDetachMetrics(List<? extends Controller> controllers) {
        this.counts = AttachmentCounts.of(controllers);
    }

    @Override
    public boolean measures() {
        return true;
    }

    @Override
    public void onResult(Dispatch dispatch, EffectResult result) {
        if (dispatch.controller().equals(AttachDetachController.NAME) && result.succeeded()) {
            AttachmentCounts.forcedBy(dispatch.effect()).ifPresent(reason -> forced.count(reason));
        }
    }

    @Override
    public void onFinished(Dispatch dispatch, EffectResult result, Duration took) {
        boolean ours = dispatch.controller().equals(AttachDetachController.NAME);
        if (ours && dispatch.effect() instanceof Effect.Perform perform) {
            operations.observe(
                    took.toNanos() / 1e9,
                    perform.call().plugin().value(),
                    "volume_" + perform.operation(),
                    result.succeeded() ? "success" : "fail-unknown",
                    "false");
        }
    }

    /**
     * All metrics with their values now, in a fixed order; those without a value so far have no samples. Takes no time for each object of
     * the cluster.
     */
    public List<Metric> collect() {
        return List.of(
                counts.wantedByNode()
                        .as(
                                "storage_count_attachable_volumes_in_use",
                                Metric.Type.GAUGE,
                                "Measure number of volumes in use"),
                counts.total()
                        .as(
                                "attachdetach_controller_total_volumes",
                                Metric.Type.GAUGE,
                                "Number of volumes in A/D Controller"),
                forced.as(
                        "attach_detach_controller_attachdetach_controller_forced_detaches",
                        Metric.Type.COUNTER,
                        "Number of times the A/D Controller performed a forced detach"),
                operations.as("storage_operation_duration_seconds", "Storage operation duration"));
    }
}
