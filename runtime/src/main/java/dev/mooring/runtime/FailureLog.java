// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import dev.mooring.runtime.control.Dispatch;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;

/**
 * Logs which calls fail and why, whether or not an event says it. A call that is tried again and fails for the same reason is not logged
 * again. Confined to the decider's thread.
 */
final class FailureLog implements LoopListener {
    private static final int REMEMBERED = 1024;

    private final Logger log;
    private final Map<Work, String> last = new LinkedHashMap<>();

    /** What fails. */
    private record Work(String controller, Object of, String operation) {}

    FailureLog(Logger log) {
        this.log = log;
    }

    @Override
    public void onResult(Dispatch dispatch, EffectResult result) {
        if (!(dispatch.effect() instanceof Effect.Perform perform)) {
            return;
        }
        // What a plugin can never do is said once, and not for each of its volumes.
        boolean never = result.outcome()
                .filter(outcome -> outcome.isRefused(Refusal.UNSUPPORTED))
                .isPresent();
        Object of = never ? perform.call().plugin() : dispatch.key();
        Work work = new Work(dispatch.controller(), of, perform.operation());
        if (result.succeeded()) {
            last.remove(work);
            return;
        }
        String why = result.message().replaceAll("\\p{Cntrl}+", " ");
        if (why.equals(last.put(work, why))) {
            return;
        }
        if (last.size() > REMEMBERED) {
            last.remove(last.keySet().iterator().next());
        }
        String text = "{} of {} on \"{}\" by plugin {} fails at {}: {}";
        Object[] about = {
            perform.operation(),
            perform.call().volume(),
            perform.call().node(),
            perform.call().plugin(),
            dispatch.key(),
            why
        };
        if (result.outcome()
                .filter(outcome -> outcome instanceof Outcome.Deferred<?>)
                .isPresent()) {
            log.info(text, about);
        } else {
            log.warn(text, about);
        }
    }
}
