// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Dispatch;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.LoopListener;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts, and lets no defect of a controller pass: the loop would only hold up the key. The loop goes on though a listener throws, so
 * the defect is thrown by who is asked.
 */
final class Witness implements LoopListener {
    private final LoopListener counters;
    private final List<AssertionError> defects = new ArrayList<>();

    Witness(LoopListener counters) {
        this.counters = counters;
    }

    /** Throws the first defect there was. */
    void requireNoDefect() {
        if (!defects.isEmpty()) {
            throw defects.get(0);
        }
    }

    @Override
    public void onWake(String controller, Key key) {
        counters.onWake(controller, key);
    }

    @Override
    public void onTimer(String controller, Key key) {
        counters.onTimer(controller, key);
    }

    @Override
    public void onDecision(String controller, Key key, Decision decision) {
        counters.onDecision(controller, key, decision);
    }

    @Override
    public void onHeldBack(String controller, Key key, Effect effect) {
        counters.onHeldBack(controller, key, effect);
    }

    @Override
    public void onEffect(Dispatch dispatch) {
        counters.onEffect(dispatch);
    }

    @Override
    public void onResult(Dispatch dispatch, EffectResult result) {
        counters.onResult(dispatch, result);
    }

    @Override
    public void onDefect(String controller, Key key, RuntimeException defect) {
        defects.add(new AssertionError(controller + " failed at " + key, defect));
    }
}
