// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.store.StoreResult;
import java.time.Duration;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Watches a loop at work: what metrics, traces, audit logs and tests are made from. Called on the decider's thread; returns quickly.
 * What a listener throws is logged and hurts neither the loop nor other listeners. Clocks are read only for a listener that {@link
 * #measures}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface LoopListener {
    /** Hears nothing. */
    LoopListener NONE = new LoopListener() {};

    /**
     * Several listeners as one. Each hears everything, in their order, also if another one throws; measured if one of them measures.
     *
     * @param listeners never null
     */
    static LoopListener all(LoopListener... listeners) {
        return new GuardedListener(List.of(listeners));
    }

    /** Whether {@link #onDecided} and {@link #onFinished} are called; asked once per loop. */
    default boolean measures() {
        return false;
    }

    /** The loop began to decide in a leader epoch. */
    default void onLead(long epoch) {}

    /** The loop stopped deciding; effects in flight of that epoch continue. */
    default void onStandDown(long epoch) {}

    /** A cache learned something. Own writes, which the caches learn at once, come here as well. */
    default void onChange(ObjectChange<?> change) {}

    /**
     * A kind could not be listed, or its watch ended otherwise than by the loop's own wish; it will be tried again.
     *
     * @param reason in the store's word; {@link StoreResult.Failure#GONE} means only that the watch was too slow
     */
    default void onWatchFailure(Kind<?> kind, StoreResult.Failure reason, String message) {}

    /** A key was posted. */
    default void onWake(String controller, Key key) {}

    /** A timer went off. */
    default void onTimer(String controller, Key key) {}

    /** A decision was made and applied. */
    default void onDecision(String controller, Key key, Decision decision) {}

    /** How long that decision took, called after {@link #onDecision} if this {@link #measures}. */
    default void onDecided(String controller, Key key, DecisionTimes times) {}

    /** A decision was thrown away because an effect's target was busy or its operation backs off; it will be made again. */
    default void onHeldBack(String controller, Key key, Effect effect) {}

    /**
     * An operation failed and waits before it is tried again.
     *
     * @param failures how often it failed since it last succeeded, at least 1
     * @param wait zero if it may be tried again at once, as after a first conflict
     */
    default void onBackoff(String controller, Key key, String operation, int failures, Duration wait) {}

    /** An effect was handed to the interpreter. */
    default void onEffect(Dispatch dispatch) {}

    /**
     * The result of an effect arrived: of a request to the store with the kind of its failure, of a call with its outcome. Announcements
     * for people have no result.
     */
    default void onResult(Dispatch dispatch, EffectResult result) {}

    /**
     * How long that effect took, called after {@link #onResult} if this {@link #measures}.
     *
     * @param took from its decision, so with the wait for a thread or a place in its bulkhead, until its result was taken in
     */
    default void onFinished(Dispatch dispatch, EffectResult result, Duration took) {}

    /**
     * A controller threw: a defect. The key is tried again after a back-off; no other key is held up. A runtime logs it, though without
     * the texts of what was thrown, which may quote a secret.
     */
    default void onDefect(String controller, Key key, RuntimeException defect) {}

    /**
     * How long a decision took.
     *
     * @param waited since the key was first posted after its last applied decision; a key that was held back, or had effects in
     *     flight, waited as well
     * @param took to decide
     * @param ready how many keys wait for a decision now
     */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    record DecisionTimes(Duration waited, Duration took, int ready) {}
}
