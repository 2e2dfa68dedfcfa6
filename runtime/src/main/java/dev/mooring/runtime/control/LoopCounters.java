// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import java.util.concurrent.atomic.LongAdder;
import org.apiguardian.api.API;

/** Counts a loop's work. Thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class LoopCounters implements LoopListener {
    private final LongAdder wakes = new LongAdder();
    private final LongAdder timers = new LongAdder();
    private final LongAdder decisions = new LongAdder();
    private final LongAdder heldBack = new LongAdder();
    private final LongAdder writes = new LongAdder();
    private final LongAdder reads = new LongAdder();
    private final LongAdder calls = new LongAdder();
    private final LongAdder announcements = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder defects = new LongAdder();

    /** Makes counters that stand at zero. */
    public LoopCounters() {}

    @Override
    public void onWake(String controller, Key key) {
        wakes.increment();
    }

    @Override
    public void onTimer(String controller, Key key) {
        timers.increment();
    }

    @Override
    public void onDecision(String controller, Key key, Decision decision) {
        decisions.increment();
    }

    @Override
    public void onHeldBack(String controller, Key key, Effect effect) {
        heldBack.increment();
    }

    @Override
    public void onEffect(Dispatch dispatch) {
        Effect effect = dispatch.effect();
        if (effect instanceof Effect.Write) {
            writes.increment();
        } else if (effect instanceof Effect.Perform) {
            calls.increment();
        } else if (effect instanceof Effect.Announce) {
            announcements.increment();
        } else {
            reads.increment();
        }
    }

    @Override
    public void onResult(Dispatch dispatch, EffectResult result) {
        if (!result.succeeded()) {
            failures.increment();
        }
    }

    @Override
    public void onDefect(String controller, Key key, RuntimeException defect) {
        defects.increment();
    }

    /** Keys posted. */
    public long wakes() {
        return wakes.sum();
    }

    /** Timers that went off. */
    public long timers() {
        return timers.sum();
    }

    /** Decisions applied. */
    public long decisions() {
        return decisions.sum();
    }

    /** Decisions thrown away. */
    public long heldBack() {
        return heldBack.sum();
    }

    /** Writes to the store. */
    public long writes() {
        return writes.sum();
    }

    /** Live reads and lists. */
    public long reads() {
        return reads.sum();
    }

    /** Calls to plugins and to the host. */
    public long calls() {
        return calls.sum();
    }

    /** Events for people. */
    public long announcements() {
        return announcements.sum();
    }

    /** Effects that did not succeed. */
    public long failures() {
        return failures.sum();
    }

    /** Defects of controllers. */
    public long defects() {
        return defects.sum();
    }
}
