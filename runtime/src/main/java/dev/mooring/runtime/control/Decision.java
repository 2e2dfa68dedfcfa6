// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What shall be done about a key: its new state and effects. Data only.
 *
 * @param state what to remember; absent to forget
 * @param effects what to do; those of one decision run at the same time
 * @param wakeAfter when to decide again if nothing happens before; absent for never. An idle key has no timer
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Decision(Optional<KeyState> state, List<Effect> effects, Optional<Duration> wakeAfter) {
    private static final Decision NOTHING = new Decision(Optional.empty(), List.of(), Optional.empty());

    /** Copies the list. */
    public Decision {
        effects = List.copyOf(effects);
    }

    /** Nothing to do, nothing to remember. */
    public static Decision nothing() {
        return NOTHING;
    }

    /** Nothing to do but to remember. */
    public static Decision remember(KeyState state) {
        return new Decision(Optional.of(state), List.of(), Optional.empty());
    }

    /** Effects, and nothing to remember. */
    public static Decision act(Effect... effects) {
        return new Decision(Optional.empty(), List.of(effects), Optional.empty());
    }

    /** The same with a state. */
    public Decision withState(KeyState newState) {
        return new Decision(Optional.of(newState), effects, wakeAfter);
    }

    /** The same with the state that a key already has. */
    public Decision withState(Optional<KeyState> newState) {
        return new Decision(newState, effects, wakeAfter);
    }

    /** The same with more effects, after the ones it has. */
    public Decision and(List<? extends Effect> more) {
        if (more.isEmpty()) {
            return this;
        }
        List<Effect> all = new ArrayList<>(effects);
        all.addAll(more);
        return new Decision(state, all, wakeAfter);
    }

    /** The same with one more effect. */
    public Decision and(Effect effect) {
        return and(List.of(effect));
    }

    /** The same with a timer. */
    public Decision wakeAfter(Duration delay) {
        return new Decision(state, effects, Optional.of(delay));
    }
}
