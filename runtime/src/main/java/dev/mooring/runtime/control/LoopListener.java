// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import org.apiguardian.api.API;

/** Watches a loop at work: what metrics, traces and tests are made from. Called on the decider's thread; returns quickly. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface LoopListener {
    /** Hears nothing. */
    LoopListener NONE = new LoopListener() {};

    /** A key was posted. */
    default void onWake(String controller, Key key) {}

    /** A timer went off. */
    default void onTimer(String controller, Key key) {}

    /** A decision was made and applied. */
    default void onDecision(String controller, Key key, Decision decision) {}

    /** A decision was thrown away because an effect's target was busy or its operation backs off; it will be made again. */
    default void onHeldBack(String controller, Key key, Effect effect) {}

    /** An effect was handed to the interpreter. */
    default void onEffect(Dispatch dispatch) {}

    /** The result of an effect arrived. */
    default void onResult(Dispatch dispatch, EffectResult result) {}

    /** A controller threw: a defect. The key is tried again after a back-off; no other key is held up. */
    default void onDefect(String controller, Key key, RuntimeException defect) {}
}
