// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** The back-offs of one key: one for each of its operations that failed, and one for decisions that threw. Confined to the decider. */
final class Backoffs {
    static final String DEFECT = "defect";

    private Map<String, Backoff> byOperation = Map.of(); // of most keys nothing has failed
    private Map<String, PluginName> failedPlugins = Map.of();

    boolean isEmpty() {
        return byOperation.isEmpty();
    }

    void clear() {
        byOperation = Map.of();
        failedPlugins = Map.of();
    }

    /** Whether a call of a plugin has failed and waits. */
    boolean waitFor(PluginName plugin) {
        return failedPlugins.containsValue(plugin);
    }

    /** Which try of an operation the next one is; from 1. */
    int nextAttempt(String operation) {
        return of(operation).failures() + 1;
    }

    /** How long each operation that backs off still has to wait. */
    Map<String, Duration> waits(long nowNanos) {
        if (byOperation.isEmpty()) {
            return Map.of();
        }
        Map<String, Duration> waits = new TreeMap<>();
        byOperation.forEach((operation, backoff) -> {
            if (backoff.holdsAt(nowNanos)) {
                waits.put(operation, Duration.ofNanos(backoff.notBeforeNanos() - nowNanos));
            }
        });
        return waits;
    }

    /** The latest time before which one of the effects may not start; {@code Long.MIN_VALUE} if none is held. */
    long notBefore(List<? extends Effect> effects, long nowNanos) {
        long latest = Long.MIN_VALUE;
        for (Effect effect : effects) {
            Backoff backoff = of(effect.operation());
            if (backoff.holdsAt(nowNanos)) {
                latest = Math.max(latest, backoff.notBeforeNanos());
            }
        }
        return latest;
    }

    /** Learns how an effect ended; answers with the back-off of its operation that begins with that, if one does. */
    Optional<Backoff> settle(EffectResult result, TimeSource time, RandomGenerator random) {
        String operation = result.effect().operation();
        if (result.succeeded() || isAnswer(result)) {
            remove(operation);
            return Optional.empty();
        }
        long nowNanos = time.now().monotonicNanos();
        Backoff before = of(operation);
        boolean firstConflict = before.failures() == 0
                && result.storeFailure()
                        .filter(f -> f == Failure.CONFLICT || f == Failure.ALREADY_EXISTS)
                        .isPresent();
        Backoff after =
                firstConflict ? before.atOnce(nowNanos) : before.after(nowNanos, requestedDelay(result), random);
        put(operation, after);
        if (result.effect() instanceof Effect.Perform perform) {
            note(operation, perform.call().plugin());
        }
        return Optional.of(after);
    }

    /** That an object is not there is what a live read, or a write that came too late, wanted to know: no reason to wait. */
    private static boolean isAnswer(EffectResult result) {
        return result.storeFailure().filter(f -> f == Failure.NOT_FOUND).isPresent();
    }

    /** Learns that a decision threw; answers with the back-off that begins. */
    Backoff threw(long nowNanos, RandomGenerator random) {
        Backoff backoff = of(DEFECT).after(nowNanos, Duration.ZERO, random);
        put(DEFECT, backoff);
        return backoff;
    }

    /** Learns that a decision was made. */
    void decided() {
        remove(DEFECT);
    }

    /** Forgets those that hold no more; answers with the time at which the last of the others ends. */
    OptionalLong forgetPast(long nowNanos) {
        if (!byOperation.isEmpty()) {
            byOperation.values().removeIf(backoff -> !backoff.holdsAt(nowNanos));
            if (!failedPlugins.isEmpty()) {
                failedPlugins.keySet().retainAll(byOperation.keySet());
            }
        }
        return byOperation.values().stream().mapToLong(Backoff::notBeforeNanos).max();
    }

    private void put(String operation, Backoff backoff) {
        if (byOperation.isEmpty()) {
            byOperation = new HashMap<>(2);
        }
        byOperation.put(operation, backoff);
    }

    private void note(String operation, PluginName plugin) {
        if (failedPlugins.isEmpty()) {
            failedPlugins = new HashMap<>(2);
        }
        failedPlugins.put(operation, plugin);
    }

    private void remove(String operation) {
        if (!byOperation.isEmpty()) {
            byOperation.remove(operation);
            if (!failedPlugins.isEmpty()) {
                failedPlugins.remove(operation);
            }
        }
    }

    private Backoff of(String operation) {
        return byOperation.getOrDefault(operation, Backoff.NONE);
    }

    /** The least wait before the next try that a store or plugin asked for. */
    private static Duration requestedDelay(EffectResult result) {
        Optional<Duration> asked = result.match(
                stored -> stored.result().retryAfter(),
                performed -> performed.answer().retryAfter());
        return asked.orElse(Duration.ZERO);
    }
}
