// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The effects that were handed out and have not been answered. Confined to the decider. */
final class InFlight {
    private final Map<Long, Flight> flights = new HashMap<>();
    private long dispatches;

    /**
     * One of them.
     *
     * @param reread whether the loop itself wants to know
     * @param uid the uid under which the object was known when the effect began; empty if it was not
     * @param former how many objects had had the name of the key and were gone when it began
     * @param startedNanos when it began, if a listener measures
     */
    record Flight(WorkItem item, Dispatch dispatch, boolean reread, String uid, int former, long startedNanos) {
        /** Whether what it was begun for is gone: how it ends is no failure of what has the name now. */
        boolean isOfFormerObject() {
            return item.former != former;
        }
    }

    /** An effect with the number and the idempotency key of this attempt. */
    Dispatch dispatch(WorkItem item, Effect effect, List<Concern> concerns, long epoch) {
        int attempt = item.backoffs.nextAttempt(effect.operation());
        return new Dispatch(
                ++dispatches,
                item.controller.name(),
                item.key,
                effect,
                attempt,
                idempotencyKey(item, effect),
                concerns,
                epoch);
    }

    /** Nothing in it is of this process: a repetition after a restart has the same. */
    private static String idempotencyKey(WorkItem item, Effect effect) {
        String about =
                effect.target().map(Target::name).orElse(item.key.object().toString());
        String key = item.controller.name() + "/" + item.key.type() + "/" + effect.operation() + "/" + about;
        return effect instanceof Effect.Perform perform
                ? key + with(perform.call().node()) + with(perform.call().occasion())
                : key;
    }

    private static String with(String part) {
        return part.isEmpty() ? "" : "/" + part;
    }

    void begin(Flight flight) {
        flights.put(flight.dispatch().id(), flight);
        flight.item().inFlight++;
    }

    /** Absent if it has ended before. */
    Optional<Flight> end(Dispatch dispatch) {
        Optional<Flight> flight = Optional.ofNullable(flights.remove(dispatch.id()));
        flight.ifPresent(ended -> ended.item().inFlight--);
        return flight;
    }

    boolean isEmpty() {
        return flights.isEmpty();
    }

    /** In the order in which they were started. */
    List<Dispatch> dispatches() {
        return flights.values().stream()
                .map(Flight::dispatch)
                .sorted(Comparator.comparingLong(Dispatch::id))
                .toList();
    }
}
