// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Time;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.Optional;

/**
 * A default class that the store does not let us give to a claim. An API server before 1.26 never lets us ({@link Failure#INVALID}). A lack
 * of rights ({@link Failure#FORBIDDEN}) may end without a change of the claim, so the class is tried again after a long time.
 *
 * @param name the class
 * @param why what the store said, in short, if the rights are missing; else empty
 * @param againAtNanos the monotonic time of the next try; empty for never
 */
record RefusedClass(String name, String why, Optional<Long> againAtNanos) {
    static RefusedClass of(String name, EffectResult refusal, Time now) {
        boolean forbidden = refusal.storeFailure().equals(Optional.of(Failure.FORBIDDEN));
        return forbidden
                ? new RefusedClass(
                        name,
                        Refusals.inShort(refusal.message()),
                        Optional.of(now.monotonicNanosAfter(Defaults.RIGHTS_MAY_HAVE_CHANGED)))
                : new RefusedClass(name, "", Optional.empty());
    }

    /** Whether the class of that name is not tried now. */
    boolean bars(String className, Time now) {
        return name.equals(className) && !isOver(now);
    }

    private boolean isOver(Time now) {
        return againAtNanos.filter(at -> now.monotonicNanos() - at >= 0).isPresent();
    }

    /** The decision of a claim that waits for the next try, if there will be one. */
    Decision awaited(Decision decision, Time now) {
        return againAtNanos
                .map(at -> Duration.ofNanos(at - now.monotonicNanos()))
                .map(left -> decision.wakeAfter(left).waitingFor(text()))
                .orElse(decision);
    }

    /** Why the claim does not get the class, and what to do. */
    String text() {
        return why.isEmpty()
                ? "this API server sets the default class \"" + name
                        + "\" only when a claim is created, so delete the claim and create it again to get it"
                : "the default class \"" + name + "\" may not be set: " + why
                        + " (allow it; it is tried again every " + Defaults.RIGHTS_MAY_HAVE_CHANGED.toMinutes()
                        + " minutes)";
    }
}
