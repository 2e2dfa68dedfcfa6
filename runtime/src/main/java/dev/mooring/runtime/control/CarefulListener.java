// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes everything on; a listener that throws is a defect in watching, which must not become one in what is watched. */
final class CarefulListener implements LoopListener {
    private static final Logger LOG = LoggerFactory.getLogger(CarefulListener.class);

    private final LoopListener listener;

    CarefulListener(LoopListener listener) {
        this.listener = listener;
    }

    @Override
    public void onWake(String controller, Key key) {
        guarded(() -> listener.onWake(controller, key));
    }

    @Override
    public void onTimer(String controller, Key key) {
        guarded(() -> listener.onTimer(controller, key));
    }

    @Override
    public void onDecision(String controller, Key key, Decision decision) {
        guarded(() -> listener.onDecision(controller, key, decision));
    }

    @Override
    public void onHeldBack(String controller, Key key, Effect effect) {
        guarded(() -> listener.onHeldBack(controller, key, effect));
    }

    @Override
    public void onEffect(Dispatch dispatch) {
        guarded(() -> listener.onEffect(dispatch));
    }

    @Override
    public void onResult(Dispatch dispatch, EffectResult result) {
        guarded(() -> listener.onResult(dispatch, result));
    }

    @Override
    public void onDefect(String controller, Key key, RuntimeException defect) {
        guarded(() -> listener.onDefect(controller, key, defect));
    }

    private static void guarded(Runnable tell) {
        try {
            tell.run();
        } catch (RuntimeException defect) {
            LOG.error("a loop listener threw; the loop goes on", defect);
        }
    }
}
