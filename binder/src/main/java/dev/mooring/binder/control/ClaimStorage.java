// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Time;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeTemplate;
import java.time.Duration;
import java.util.Optional;

/**
 * What this process knows of the storage that plugins made for a claim.
 *
 * @param made storage that exists, or may exist, and has no volume object yet
 * @param surelyNone whether certainly none exists; false if that is unknown, as after a crash
 * @param failedCreates how often its volume object was surely refused
 * @param failedCleanups how often destroying it failed
 * @param untoldCreate when the answer to a creation of its volume object was lost, in nanoseconds of the monotonic clock: the creation may
 *     arrive later than that
 */
record ClaimStorage(
        Optional<Made> made, boolean surelyNone, int failedCreates, int failedCleanups, Optional<Long> untoldCreate) {
    static final ClaimStorage UNKNOWN = new ClaimStorage(Optional.empty(), false, 0, 0, Optional.empty());

    /** No call has been made, or none that may have had an effect. */
    static final ClaimStorage NOTHING = new ClaimStorage(Optional.empty(), true, 0, 0, Optional.empty());

    static ClaimStorage of(Made made) {
        return new ClaimStorage(Optional.of(made), false, 0, 0, Optional.empty());
    }

    /**
     * After a refusal: that call made nothing, which says nothing of an earlier one whose end is unknown. Only a driver that chooses handles
     * ends the earlier one by it, unless it did not let us in (semantics/csi §8.7, §14).
     */
    ClaimStorage afterRefusal(Refusal why, String provisioner, ProvisionRequest request, VolumeTemplate plan) {
        if (surelyNone || made.filter(storage -> !storage.is(Certainty.UNTOLD)).isPresent()) {
            return this;
        }
        if (!plan.namesStorage()) {
            return why == Refusal.DENIED ? this : NOTHING;
        }
        return of(made.orElse(new Made(provisioner, request, plan, Certainty.UNTOLD))
                .refusedSince());
    }

    /** Whether only the plugin's deletion can show that there is nothing. */
    boolean isDoubtful() {
        return made.filter(storage -> storage.is(Certainty.REFUSED_SINCE)).isPresent();
    }

    ClaimStorage afterFailedCreate() {
        return new ClaimStorage(made, surelyNone, failedCreates + 1, failedCleanups, untoldCreate);
    }

    ClaimStorage afterUntoldCreate(Time now) {
        return new ClaimStorage(made, surelyNone, failedCreates, failedCleanups, Optional.of(now.monotonicNanos()));
    }

    /** For how long a creation of the volume object whose answer was lost may still arrive; empty if none may. */
    Optional<Duration> creationMayArriveFor(Time now) {
        return untoldCreate
                .map(at -> Defaults.STORE_TIME_LIMIT.minusNanos(now.monotonicNanos() - at))
                .filter(left -> !left.isNegative() && !left.isZero());
    }

    ClaimStorage afterFailedCleanup() {
        return new ClaimStorage(made, surelyNone, failedCreates, failedCleanups + 1, untoldCreate);
    }

    /**
     * Storage that a plugin made.
     *
     * @param provisioner who made it
     * @param request for which wish
     * @param template what it made
     * @param certainty whether it surely did
     */
    record Made(String provisioner, ProvisionRequest request, VolumeTemplate template, Certainty certainty) {
        boolean is(Certainty which) {
            return certainty == which;
        }

        Made refusedSince() {
            return new Made(provisioner, request, template, Certainty.REFUSED_SINCE);
        }
    }

    /** How sure it is that storage was made. */
    enum Certainty {
        /** The plugin has said so. */
        MADE,
        /** The plugin's answer was lost, or has not come: asking once more answers. */
        UNTOLD,
        /** As {@link #UNTOLD}, and since then the plugin has refused to make any, which proves nothing of what it did before. */
        REFUSED_SINCE
    }
}
