// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.attachdetach.control.ActualAttachments.Reservation;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Time;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.Optional;

/**
 * The creation of an attachment's object that is under way, or whose answer was lost.
 *
 * @param reserved what it occupies
 * @param lost that its answer was lost, as long as it may still reach the store
 */
record Creation(Optional<Reservation> reserved, Optional<Loss> lost) {
    static final Creation NONE = new Creation(Optional.empty(), Optional.empty());

    /**
     * A creation whose answer was lost: it may still make the object later, and the object occupies the slot (S1).
     *
     * @param sinceNanos when the answer was lost
     * @param retried whether the object that is there may be that of a later try
     */
    record Loss(long sinceNanos, boolean retried) {
        /** How long until it surely comes no more. */
        Duration left(Time now) {
            return LateWrites.left(sinceNanos, now);
        }

        private boolean mayCome(Time now) {
            return !left(now).isZero();
        }
    }

    /** It comes no more, and it is not known whether it came: a watch that shows nothing would not have shown it. */
    boolean isToBeLookedFor(Time now) {
        return lost.filter(loss -> !loss.mayCome(now)).isPresent();
    }

    /** It is asked for, perhaps again. */
    Creation asking(Reservation reservation) {
        return new Creation(Optional.of(reservation), lost.map(loss -> new Loss(loss.sinceNanos(), true)));
    }

    /** The object is there. A creation that was lost fails as long as it is; it may come when the object has gone. */
    Creation succeeded(Time now) {
        return lost.filter(loss -> loss.retried() && loss.mayCome(now)).isPresent() ? this : NONE;
    }

    /**
     * No object is known.
     *
     * @param result of a creation, if it has just come in
     * @param looked whether a live read has just shown that there is none
     */
    Creation withoutObject(Optional<EffectResult> result, boolean looked, Time now) {
        boolean lostNow = result.flatMap(EffectResult::storeFailure)
                .filter(Failure.UNKNOWN::equals)
                .isPresent();
        if (lostNow) {
            return new Creation(reserved, Optional.of(new Loss(now.monotonicNanos(), lost.isPresent())));
        }
        return lost.filter(loss -> loss.mayCome(now) || !looked).isPresent() ? this : NONE;
    }
}
