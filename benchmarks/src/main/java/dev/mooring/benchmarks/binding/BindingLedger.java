// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.binding;

import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Dispatch;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.LoopCounters;
import dev.mooring.runtime.control.LoopListener;
import java.util.HashSet;
import java.util.Set;

/** Counts, notes which claims were decided if asked to, and lets no defect pass. */
final class BindingLedger implements LoopListener {
    private final LoopCounters counters = new LoopCounters();
    private final Set<Key> claims = new HashSet<>();
    private boolean noting;

    LoopCounters counters() {
        return counters;
    }

    /** Notes the claims from now on. */
    void note() {
        noting = true;
    }

    /** The claims about which the binder has decided since then. */
    Set<Key> claims() {
        return claims;
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
        if (noting && controller.equals("binder") && key.type().equals("claim")) {
            claims.add(key);
        }
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
        throw new IllegalStateException(controller + " failed at " + key, defect);
    }
}
