// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.attachdetach.calls.CompareCall.Compared;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Time;
import dev.mooring.storage.spi.Outcome;
import java.time.Duration;
import java.util.Optional;

/**
 * When an attachment was last compared with what its storage says (semantics/csi §9.4): once a minute, as external-attacher does.
 *
 * @param last when
 */
record AttachmentComparison(Time last) implements KeyState {
    private static final Duration EVERY = Duration.ofMinutes(1);

    /** Why people are told. */
    static final String LOST = "VolumeAttachedAgain";

    /** What is remembered now: an answer of this moment counts, and so does the first sight of an attachment. */
    static AttachmentComparison next(Optional<AttachmentComparison> before, Situation situation) {
        boolean answered = situation.resultOf(AttachmentOperations.COMPARE).isPresent();
        return answered
                ? new AttachmentComparison(situation.now())
                : before.orElseGet(() -> new AttachmentComparison(situation.now()));
    }

    /** How long it is still good for; not above zero once it is due. */
    Duration left(Time now) {
        return Duration.ofNanos(last.monotonicNanosAfter(EVERY) - now.monotonicNanos());
    }

    /** What the storage said when it was attached again; empty if it was not. */
    static Optional<Compared> attachedAgain(Situation situation) {
        return situation
                .resultOf(AttachmentOperations.COMPARE)
                .flatMap(EffectResult::outcome)
                .flatMap(Outcome::result)
                .filter(Compared.class::isInstance)
                .map(Compared.class::cast)
                .filter(Compared::again);
    }

    static String told(String volume, String node) {
        return "volume \"" + volume + "\" was not attached to node \"" + node
                + "\" any more, as its storage says, and was attached again";
    }

    static String failed(String volume, String node, String why) {
        return "volume \"" + volume + "\" is not attached to node \"" + node
                + "\" any more, as its storage says, and cannot be attached again: " + why;
    }
}
