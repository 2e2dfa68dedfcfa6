// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.expansion;

import dev.mooring.runtime.control.KeyState;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.ControllerExpanding.Expansion;
import java.util.Optional;

/**
 * What the expansion of a claim remembers; all of it may be lost.
 *
 * @param volumeUid the volume that all of this is about; empty if nothing is remembered
 * @param asked the size that the last call asked for
 * @param done what the last call did, until the objects show it
 * @param failure why the last call failed
 * @param notBeforeNanos monotonic time before which a refused size is not asked for again
 * @param settled whether nothing was in doubt when the last call was made, so that one that was not started leaves nothing in doubt
 * @param announced the size of which people were told that it is gone for
 * @param told the last other news
 * @param unmarked whether the store was seen to leave out of a claim's status how far an expansion is, as Kubernetes before 1.32 does
 */
record ExpansionState(
        String volumeUid,
        Optional<Quantity> asked,
        Optional<Expansion> done,
        Optional<Failure> failure,
        long notBeforeNanos,
        boolean settled,
        Optional<Quantity> announced,
        String told,
        boolean unmarked)
        implements KeyState {
    static final ExpansionState NONE = new ExpansionState(
            "", Optional.empty(), Optional.empty(), Optional.empty(), 0, false, Optional.empty(), "", false);

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
     * @param why for people
     */
    record Failure(Certainty certainty, String why) {}

    /** What a call that was not started says: nothing about an earlier one whose answer was lost. */
    Certainty notStarted() {
        return settled ? Certainty.NOT_APPLIED : Certainty.UNCERTAIN;
    }

    /** Whether the last call is known to have left the back-end as it was. */
    boolean lastCallHadNoEffect() {
        return failure.filter(f -> f.certainty() != Certainty.UNCERTAIN).isPresent();
    }

    ExpansionState calling(Quantity target, boolean nothingInDoubt) {
        return new ExpansionState(
                volumeUid,
                Optional.of(target),
                Optional.empty(),
                Optional.empty(),
                0,
                nothingInDoubt,
                announced,
                told,
                unmarked);
    }

    ExpansionState succeeded(Expansion expansion) {
        return new ExpansionState(
                volumeUid, asked, Optional.of(expansion), Optional.empty(), 0, settled, announced, told, unmarked);
    }

    ExpansionState failed(Failure why, long againAtNanos) {
        return new ExpansionState(
                volumeUid, asked, Optional.empty(), Optional.of(why), againAtNanos, settled, announced, told, unmarked);
    }

    /** Another size is gone for; that it fails too is news, though its reason may be the same. */
    ExpansionState marking(Quantity target, boolean nothingInDoubt) {
        String news = announced.filter(target::equals).isPresent() ? told : "";
        return new ExpansionState(
                volumeUid, asked, done, failure, notBeforeNanos, nothingInDoubt, Optional.of(target), news, unmarked);
    }

    ExpansionState telling(String news) {
        return new ExpansionState(volumeUid, asked, done, failure, notBeforeNanos, settled, announced, news, unmarked);
    }

    /** The store keeps no marks. */
    ExpansionState withoutMarks() {
        return new ExpansionState(volumeUid, asked, done, failure, notBeforeNanos, settled, announced, told, true);
    }

    /** The same about a volume; nothing is known of another one, such as one that was made again under the same name. */
    ExpansionState about(String uid) {
        if (volumeUid.equals(uid)) {
            return this;
        }
        return new ExpansionState(
                uid,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                0,
                false,
                Optional.empty(),
                volumeUid.isEmpty() ? told : "",
                unmarked);
    }
}
