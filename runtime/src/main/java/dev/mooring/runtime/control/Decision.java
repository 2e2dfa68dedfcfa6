// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What is done about a key: its new state and effects. Data only.
 *
 * @param state what to remember; absent to forget
 * @param effects what to do; those of one decision run at the same time
 * @param wakeAfter when to decide again if nothing happens before; absent for never. An idle key has no timer
 * @param concerns the objects that it is made for: their events say what its calls report, and why they wait
 * @param waitsFor what the concerned objects wait for that others have to do, for people; absent if they wait for nothing or for an effect
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Decision(
        Optional<KeyState> state,
        List<Effect> effects,
        Optional<Duration> wakeAfter,
        List<Concern> concerns,
        Optional<String> waitsFor) {
    private static final Decision NOTHING = new Decision(Optional.empty(), List.of(), Optional.empty());

    /** Copies the lists. */
    public Decision {
        effects = List.copyOf(effects);
        concerns = List.copyOf(concerns);
    }

    /** A decision that concerns no object, so it causes no events. */
    public Decision(Optional<KeyState> state, List<Effect> effects, Optional<Duration> wakeAfter) {
        this(state, effects, wakeAfter, List.of(), Optional.empty());
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
        return withState(Optional.of(newState));
    }

    /** The same with the state that a key already has. */
    public Decision withState(Optional<KeyState> newState) {
        return new Decision(newState, effects, wakeAfter, concerns, waitsFor);
    }

    /** The same with more effects, after the ones it has. */
    public Decision and(List<? extends Effect> more) {
        if (more.isEmpty()) {
            return this;
        }
        List<Effect> all = new ArrayList<>(effects);
        all.addAll(more);
        return withEffects(all);
    }

    /** The same with these effects instead. */
    public Decision withEffects(List<Effect> others) {
        return new Decision(state, others, wakeAfter, concerns, waitsFor);
    }

    /** The same with one more effect. */
    public Decision and(Effect effect) {
        return and(List.of(effect));
    }

    /** The same with a timer. */
    public Decision wakeAfter(Duration delay) {
        return wakeAfter(Optional.of(delay));
    }

    /** The same with a timer, or with none. */
    public Decision wakeAfter(Optional<Duration> delay) {
        return new Decision(state, effects, delay, concerns, waitsFor);
    }

    /** The same for these objects, beside those that it has. */
    public Decision concerning(List<Concern> more) {
        if (more.isEmpty()) {
            return this;
        }
        List<Concern> all = new ArrayList<>(concerns);
        all.addAll(more);
        return new Decision(state, effects, wakeAfter, all, waitsFor);
    }

    /** The same for one more object. */
    public Decision concerning(Concern concern) {
        return concerning(List.of(concern));
    }

    /** The same, and the objects wait for something that others have to do; announced after {@link Defaults#LONG_WAIT}. */
    public Decision waitingFor(String what) {
        return new Decision(state, effects, wakeAfter, concerns, Optional.of(what));
    }
}
