// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What is remembered about one object. A key has the name of its object, and another object may be made under that name before anything is
 * decided: what is known of the former, and what became of its calls, says nothing about the new one.
 *
 * @param uid the object's uid, or the uids of all that the state is about
 * @param state what is remembered; empty if only effects were begun for the object, whose results are still to come
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ObjectState(String uid, Optional<KeyState> state) implements KeyState {
    /** A decision about an object. */
    @FunctionalInterface
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public interface Decide {
        /**
         * Decides.
         *
         * @param state what is remembered of this very object
         * @param situation the situation; without results if the state was another object's
         */
        Decision decide(Optional<KeyState> state, Situation situation);
    }

    /** Decides about an object; what is to be remembered, and what effects are begun, is noted as this object's. */
    public static Decision decide(String uid, Optional<KeyState> noted, Situation situation, Decide decide) {
        Optional<ObjectState> known = noted.map(ObjectState.class::cast);
        boolean another = known.filter(state -> !state.uid().equals(uid)).isPresent();
        Decision decision = another
                ? decide.decide(Optional.empty(), situation.withResults(List.of()))
                : decide.decide(known.flatMap(ObjectState::state), situation);
        boolean begun = !decision.effects().isEmpty();
        return decision.withState(
                begun || decision.state().isPresent()
                        ? Optional.of(new ObjectState(uid, decision.state()))
                        : Optional.empty());
    }

    /** What is remembered, whichever object it is about. */
    public static Optional<KeyState> stateOf(Optional<KeyState> noted) {
        return noted.map(ObjectState.class::cast).flatMap(ObjectState::state);
    }
}
