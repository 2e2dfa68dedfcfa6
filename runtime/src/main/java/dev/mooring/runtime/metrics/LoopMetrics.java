// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.metrics;

import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Dispatch;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.store.StoreResult;
import java.util.List;
import org.apiguardian.api.API;

/**
 * What a loop does, with any controllers: decisions, effects and their results, defects, ended watches. Confined to the decider's
 * thread, on which the values are asked for as well.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class LoopMetrics implements LoopListener {
    private final String loop;
    private final Counters decisions = new Counters("loop", "controller");
    private final Counters effects = new Counters("loop", "controller", "operation", "status");
    private final Counters defects = new Counters("loop", "controller");
    private final Counters watches = new Counters("loop", "kind", "reason");
    private int ready;

    /**
     * Metrics that stand at zero.
     *
     * @param loop the loop's name, a label
     */
    public LoopMetrics(String loop) {
        this.loop = loop;
    }

    @Override
    public boolean measures() {
        return true;
    }

    @Override
    public void onDecision(String controller, Key key, Decision decision) {
        decisions.count(loop, controller);
    }

    @Override
    public void onDecided(String controller, Key key, DecisionTimes times) {
        ready = times.ready();
    }

    @Override
    public void onResult(Dispatch dispatch, EffectResult result) {
        String status = result.succeeded() ? "success" : "fail";
        effects.count(loop, dispatch.controller(), dispatch.effect().operation(), status);
    }

    @Override
    public void onDefect(String controller, Key key, RuntimeException defect) {
        defects.count(loop, controller);
    }

    @Override
    public void onWatchFailure(Kind<?> kind, StoreResult.Failure reason, String message) {
        watches.count(loop, kind.plural(), reason.name());
    }

    /** All metrics with their values now, in a fixed order. */
    public List<Metric> collect() {
        return List.of(
                decisions.as("mooring_decisions_total", Metric.Type.COUNTER, "Decisions made and applied"),
                effects.as("mooring_effects_total", Metric.Type.COUNTER, "Writes, reads and calls that were answered"),
                defects.as("mooring_defects_total", Metric.Type.COUNTER, "Decisions that failed by a defect"),
                watches.as(
                        "mooring_watch_failures_total",
                        Metric.Type.COUNTER,
                        "Lists that failed and watches that ended"),
                new Counters("loop")
                        .add(ready, loop)
                        .as(
                                "mooring_ready_keys",
                                Metric.Type.GAUGE,
                                "Keys that waited when the last decision was made"));
    }
}
