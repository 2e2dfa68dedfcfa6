// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.store.StoreResult;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes everything on; a listener that throws is a defect in watching, which must not become one in what is watched. */
final class GuardedListener implements LoopListener {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedListener.class);

    private final List<LoopListener> listeners;

    GuardedListener(List<LoopListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    /** Wraps a listener: what it throws is logged, not passed on. Returns it unchanged if it is already wrapped. */
    static LoopListener around(LoopListener listener) {
        boolean harmless = listener == NONE || listener instanceof GuardedListener;
        return harmless ? listener : new GuardedListener(List.of(listener));
    }

    @Override
    public boolean measures() {
        return listeners.stream().anyMatch(GuardedListener::measures);
    }

    private static boolean measures(LoopListener listener) {
        try {
            return listener.measures();
        } catch (Throwable defect) {
            Defects.throwTheMachines(defect);
            LOG.error("a loop listener threw; nothing is measured for it", defect);
            return false;
        }
    }

    @Override
    public void onLead(long epoch) {
        each(listener -> listener.onLead(epoch));
    }

    @Override
    public void onStandDown(long epoch) {
        each(listener -> listener.onStandDown(epoch));
    }

    @Override
    public void onChange(ObjectChange<?> change) {
        each(listener -> listener.onChange(change));
    }

    @Override
    public void onWatchFailure(Kind<?> kind, StoreResult.Failure reason, String message) {
        each(listener -> listener.onWatchFailure(kind, reason, message));
    }

    @Override
    public void onWake(String controller, Key key) {
        each(listener -> listener.onWake(controller, key));
    }

    @Override
    public void onTimer(String controller, Key key) {
        each(listener -> listener.onTimer(controller, key));
    }

    @Override
    public void onDecision(String controller, Key key, Decision decision) {
        each(listener -> listener.onDecision(controller, key, decision));
    }

    @Override
    public void onDecided(String controller, Key key, DecisionTimes times) {
        each(listener -> listener.onDecided(controller, key, times));
    }

    @Override
    public void onHeldBack(String controller, Key key, Effect effect) {
        each(listener -> listener.onHeldBack(controller, key, effect));
    }

    @Override
    public void onBackoff(String controller, Key key, String operation, int failures, Duration wait) {
        each(listener -> listener.onBackoff(controller, key, operation, failures, wait));
    }

    @Override
    public void onEffect(Dispatch dispatch) {
        each(listener -> listener.onEffect(dispatch));
    }

    @Override
    public void onResult(Dispatch dispatch, EffectResult result) {
        each(listener -> listener.onResult(dispatch, result));
    }

    @Override
    public void onFinished(Dispatch dispatch, EffectResult result, Duration took) {
        each(listener -> listener.onFinished(dispatch, result, took));
    }

    @Override
    public void onDefect(String controller, Key key, RuntimeException defect) {
        each(listener -> listener.onDefect(controller, key, defect));
    }

    private void each(Consumer<LoopListener> tell) {
        for (LoopListener listener : listeners) {
            try {
                tell.accept(listener);
            } catch (Throwable defect) {
                Defects.throwTheMachines(defect);
                LOG.error("a loop listener threw; the loop goes on", defect);
            }
        }
    }
}
