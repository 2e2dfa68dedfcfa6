// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import java.util.Locale;

/**
 * What happens to the watches of a process.
 *
 * @param process the process
 * @param kind the kind watched; empty for all
 * @param outcome what happens
 * @param changes how many changes a stale list does not show
 */
record WatchFault(ProcessName process, String kind, Outcome outcome, int changes) {
    /** What happens. */
    enum Outcome {
        /** Nothing is shown until released. */
        HOLD,
        /** What has waited is shown, of every kind. */
        RELEASE,
        /** What waits is never shown; everything is listed again. */
        LOSE,
        /** What was shown last is shown once more. */
        REPEAT,
        /** The process starts again from old lists, of one kind or of all, and sees nothing else of it until released. */
        STALE;

        /** The word in a scenario. */
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
