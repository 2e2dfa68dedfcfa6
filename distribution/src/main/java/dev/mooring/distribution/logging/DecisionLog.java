// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.logging;

import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Dispatch;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.LoopListener;
import java.time.Duration;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One line for every decision, at debug: which controller decided about which object, and what it does. Names and verbs only; what objects
 * hold is never shown. Thread-safe.
 */
public final class DecisionLog implements LoopListener {
    private static final Logger LOG = LoggerFactory.getLogger(Logs.DECISIONS);

    @Override
    public void onDecision(String controller, Key key, Decision decision) {
        if (LOG.isDebugEnabled()) {
            LOG.debug("{} {} {}: {}", controller, key.type(), key.object(), effects(decision));
        }
    }

    private static String effects(Decision decision) {
        return decision.effects().isEmpty()
                ? "nothing to do"
                : decision.effects().stream().map(Effect::operation).collect(Collectors.joining(", "));
    }

    @Override
    public void onResult(Dispatch dispatch, EffectResult result) {
        if (!result.succeeded() && LOG.isDebugEnabled()) {
            LOG.debug(
                    "{} {} {}: {} failed",
                    dispatch.controller(),
                    dispatch.key().type(),
                    dispatch.key().object(),
                    dispatch.effect().operation());
        }
    }

    @Override
    public void onBackoff(String controller, Key key, String operation, int failures, Duration wait) {
        LOG.debug(
                "{} {} {}: {} failed {} times, again in {}",
                controller,
                key.type(),
                key.object(),
                operation,
                failures,
                wait);
    }
}
