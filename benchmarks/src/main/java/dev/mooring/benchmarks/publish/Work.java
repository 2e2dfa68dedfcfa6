// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.publish;

import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Dispatch;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.LoopListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What both loops did since the last {@link #begin}. Thread-safe. */
final class Work implements LoopListener {
    private final List<Double> decided = new ArrayList<>();
    private long decisions;
    private long writes;
    private long calls;
    private long reads;

    /** Counts from zero. */
    synchronized void begin() {
        decided.clear();
        decisions = 0;
        writes = 0;
        calls = 0;
        reads = 0;
    }

    synchronized long decisions() {
        return decisions;
    }

    synchronized long writes() {
        return writes;
    }

    synchronized long calls() {
        return calls;
    }

    synchronized long reads() {
        return reads;
    }

    /** The time of each decision, in microseconds. */
    synchronized MeasuredValues decided() {
        return new MeasuredValues(decided);
    }

    @Override
    public boolean measures() {
        return true;
    }

    @Override
    public synchronized void onDecision(String controller, Key key, Decision decision) {
        decisions++;
    }

    @Override
    public synchronized void onDecided(String controller, Key key, DecisionTimes times) {
        Duration took = times.took();
        decided.add(took.toNanos() / 1e3);
    }

    @Override
    public synchronized void onEffect(Dispatch dispatch) {
        if (dispatch.effect() instanceof Effect.Write) {
            writes++;
        } else if (dispatch.effect() instanceof Effect.Perform) {
            calls++;
        } else if (!(dispatch.effect() instanceof Effect.Announce)) {
            reads++;
        }
    }

    @Override
    public void onDefect(String controller, Key key, RuntimeException defect) {
        throw new IllegalStateException(controller + " failed at " + key, defect);
    }
}
