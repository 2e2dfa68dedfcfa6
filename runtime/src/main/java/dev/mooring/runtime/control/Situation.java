// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.runtime.cache.Caches;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What a decision may know besides the controller's indexes and the key's state.
 *
 * @param caches the objects as they are known now
 * @param now both clocks
 * @param backoffs how long operations of the key still have to wait after a failure; operations that may start are not in it
 * @param results what became of the key's effects since its last applied decision, in the order of their arrival; unmodifiable
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Situation(Caches caches, Time now, Map<String, Duration> backoffs, List<EffectResult> results) {
    /** Copies the list. */
    public Situation {
        results = List.copyOf(results);
    }

    /** The same with other results, such as those that are about the object alone. */
    public Situation withResults(List<EffectResult> others) {
        return new Situation(caches, now, backoffs, others);
    }

    /** How long an operation still has to wait after a failure; empty if it may start. */
    public Optional<Duration> backoff(String operation) {
        return Optional.ofNullable(backoffs.get(operation));
    }

    /** The last result of an operation of the key, if one arrived since its last applied decision. */
    public Optional<EffectResult> resultOf(String operation) {
        EffectResult found = null;
        for (EffectResult result : results) {
            if (result.effect().operation().equals(operation)) {
                found = result;
            }
        }
        return Optional.ofNullable(found);
    }
}
