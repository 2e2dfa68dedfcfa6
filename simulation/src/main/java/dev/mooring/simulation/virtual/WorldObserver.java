// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.virtual;

import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.Key;
import org.apiguardian.api.API;

/** Hears what happens in a world. Called by the world's thread. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface WorldObserver {
    /** Hears nothing. */
    WorldObserver NONE = new WorldObserver() {};

    /** An event for people. */
    default void onEvent(String process, Announcement announcement) {}

    /**
     * A call was made, or held back since its process leads no more.
     *
     * @param answer how it went; a call that hangs is reported once, when it is made
     */
    default void onCall(String process, Call call, CallAnswer answer) {}

    /** A process that lived died or was stopped, or another instance took its place. */
    default void onInterruption(String process) {}

    /** A watch event reached a watch that is held back, was shown to it once more, or was missing in its first list. */
    default void onStaleNews(String process) {}

    /** A watch lists again, and has lost changes that came before: only their outcome is shown. */
    default void onLostNews(String process) {}

    /** A timer of a controller went off. */
    default void onTimer(String process, String controller, Key key) {}

    /** A controller threw, which is a defect. */
    default void onDefect(String process, String controller, Key key, RuntimeException defect) {}
}
