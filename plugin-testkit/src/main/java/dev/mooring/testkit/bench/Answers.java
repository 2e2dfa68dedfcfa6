// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.bench;

import dev.mooring.storage.spi.Outcome;

/** What outcomes say, for people and for rules. */
public final class Answers {
    private Answers() {}

    /** The kind and the words of an outcome. */
    public static String text(Outcome<?> outcome) {
        return outcome.match(
                done -> "Done(" + done.value() + ")",
                refused -> "Refused(" + refused.refusal() + ", " + refused.why() + ")",
                uncertain -> "Uncertain(" + uncertain.why() + ")",
                deferred -> "Deferred(" + deferred.why() + ")",
                elsewhere -> "InUseElsewhere(" + elsewhere.nodes() + ", " + elsewhere.why() + ")");
    }

    /** Whether the host repeats the call without anything being changed first. */
    public static boolean isPassing(Outcome<?> outcome) {
        return outcome.isUncertain() || outcome.isDeferred();
    }
}
