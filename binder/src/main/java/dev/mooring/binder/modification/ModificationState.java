// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.modification;

import dev.mooring.runtime.control.KeyState;
import java.util.Optional;

/**
 * What the modification of a claim's volume remembers; all of it may be lost.
 *
 * @param asked the class that the last call asked for
 * @param done whether it succeeded; until the objects show it
 * @param failure why it failed
 * @param notBeforeNanos monotonic time before which a refused class is not asked for again
 * @param settled whether nothing was in doubt when the last call was made, so that one that was not started leaves nothing in doubt
 * @param announced the class of which people were told that it is gone for
 * @param told the last other news
 */
record ModificationState(
        Optional<String> asked,
        boolean done,
        Optional<Failure> failure,
        long notBeforeNanos,
        boolean settled,
        Optional<String> announced,
        String told)
        implements KeyState {
    static final ModificationState NONE =
            new ModificationState(Optional.empty(), false, Optional.empty(), 0, false, Optional.empty(), "");

    /** How a call failed. */
    enum Certainty {
        /** Refused: not applied, and the same call will be refused again. */
        INFEASIBLE,
        /** Not applied. */
        NOT_APPLIED,
        /** Perhaps applied. */
        UNCERTAIN
    }

    /**
     * A call that failed.
     *
     * @param certainty what is known of its effect
     * @param code in one word, as gRPC has it
     * @param why for people
     */
    record Failure(Certainty certainty, String code, String why) {}

    /** What a call that was not started says: nothing about an earlier one whose answer was lost. */
    Certainty notStarted() {
        return settled ? Certainty.NOT_APPLIED : Certainty.UNCERTAIN;
    }

    /** Whether the last call is known to have left the attributes as they were. */
    boolean lastCallHadNoEffect() {
        return failure.filter(f -> f.certainty() != Certainty.UNCERTAIN).isPresent();
    }

    ModificationState calling(String target, boolean nothingInDoubt) {
        return new ModificationState(Optional.of(target), false, Optional.empty(), 0, nothingInDoubt, announced, told);
    }

    ModificationState succeeded() {
        return new ModificationState(asked, true, Optional.empty(), 0, settled, announced, told);
    }

    ModificationState failed(Failure why, long againAtNanos) {
        return new ModificationState(asked, false, Optional.of(why), againAtNanos, settled, announced, told);
    }

    ModificationState marking(String target, boolean nothingInDoubt) {
        return new ModificationState(asked, done, failure, notBeforeNanos, nothingInDoubt, Optional.of(target), told);
    }

    ModificationState telling(String news) {
        return new ModificationState(asked, done, failure, notBeforeNanos, settled, announced, news);
    }
}
