// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.util.List;
import java.util.Map;

/** What an exit of {@code sg_persist} means (semantics/plugins §3.8). Pure. */
final class PersistExit {
    static final int UNIT_ATTENTION = 6;
    static final int CONFLICT = 24;

    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(1, "syntax"),
            Map.entry(2, "not ready"),
            Map.entry(3, "medium or hardware error"),
            Map.entry(5, "illegal request"),
            Map.entry(6, "unit attention"),
            Map.entry(7, "write-protected"),
            Map.entry(9, "unknown command"),
            Map.entry(11, "aborted"),
            Map.entry(15, "device file"),
            Map.entry(24, "reservation conflict"),
            Map.entry(26, "busy"),
            Map.entry(33, "no answer in time"));

    private PersistExit() {}

    /**
     * The outcome.
     *
     * @param what what was to be done, for people
     * @param code the exit code; negative if the tool was killed
     */
    static Outcome<Nothing> outcome(String what, int code) {
        String why = what + ": " + NAMES.getOrDefault(code, "exit " + code);
        return switch (code) {
            case 0 -> Outcome.done();
            case 1 -> Outcome.refused(Refusal.INVALID, why);
            // the attention was reported and is over: the same command may be given again
            case 2, UNIT_ATTENTION, 15, 26 -> Outcome.deferred(why);
            case 5, 9 -> Outcome.refused(Refusal.UNSUPPORTED, why);
            case 7 -> Outcome.refused(Refusal.DENIED, why);
            case CONFLICT -> Outcome.inUseElsewhere(List.of(), why);
            default -> Outcome.uncertain(why);
        };
    }
}
