// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.bench;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.util.Optional;

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

    /** Why it was refused; empty if it was not. */
    public static Optional<Refusal> refusal(Outcome<?> outcome) {
        return outcome.match(
                done -> Optional.empty(),
                refused -> Optional.of(refused.refusal()),
                uncertain -> Optional.empty(),
                deferred -> Optional.empty(),
                elsewhere -> Optional.empty());
    }

    /** Whether it says that nothing was changed, so that nobody will undo anything. */
    public static boolean claimsNoEffect(Outcome<?> outcome) {
        return outcome.match(done -> false, refused -> true, uncertain -> false, deferred -> true, elsewhere -> true);
    }

    /** Whether the host repeats the call without anything being changed first. */
    public static boolean isPassing(Outcome<?> outcome) {
        return outcome.match(done -> false, refused -> false, uncertain -> true, deferred -> true, elsewhere -> false);
    }
}
