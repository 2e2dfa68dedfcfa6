// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Everything a loop keeps about one key of one controller. Confined to the decider. */
final class Slot {
    final Controller controller;
    final Key key;
    Optional<KeyState> state = Optional.empty();
    final List<EffectResult> results = new ArrayList<>();
    final Map<String, Backoff> backoffs = new HashMap<>(2);
    int inFlight;
    boolean woken; // since the last applied decision, if anybody measures
    long wokenNanos;
    ReadyQueue.@Nullable Entry ready;
    Timers.@Nullable Entry timer;

    @Nullable
    Target waitsFor;

    final Set<Effect.Read<?>> unread =
            new LinkedHashSet<>(); // objects that have to be read live before the next decision

    Slot(Controller controller, Key key) {
        this.controller = controller;
        this.key = key;
    }

    /** Whether nothing would be lost by forgetting the slot. */
    boolean blank() {
        return backoffs.isEmpty() && blankButForBackoffs();
    }

    /** Whether nothing but past failures would be lost by forgetting the slot. */
    boolean blankButForBackoffs() {
        return state.isEmpty()
                && results.isEmpty()
                && unread.isEmpty()
                && inFlight == 0
                && ready == null
                && timer == null
                && waitsFor == null;
    }

    /** How long each operation that backs off still has to wait. */
    Map<String, Duration> waits(long nowNanos) {
        if (backoffs.isEmpty()) {
            return Map.of();
        }
        Map<String, Duration> waits = new TreeMap<>();
        backoffs.forEach((operation, backoff) -> {
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
            Backoff backoff = backoffs.getOrDefault(effect.operation(), Backoff.NONE);
            if (backoff.holdsAt(nowNanos)) {
                latest = Math.max(latest, backoff.notBeforeNanos());
            }
        }
        return latest;
    }
}
