// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a user does in a step, in the order in which the verbs of one step run. */
enum Verb {
    LOAD,
    APPLY,
    PATCH,
    DELETE,
    FAULT,
    STOP,
    RESTART,
    HANDOVER,
    PAUSE,
    CLOCK,
    WATCH,
    WORK,
    ADVANCE,
    CALM,
    SETTLE,
    EXPECT;

    /** The word in the file. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static List<String> words() {
        List<String> words = new ArrayList<>();
        for (Verb verb : values()) {
            words.add(verb.word());
        }
        return words;
    }
}
