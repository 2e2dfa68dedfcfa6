// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.index.Awaited;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.VolumeTemplate;
import java.util.Optional;

/**
 * What the binder remembers about a claim.
 *
 * @param reserved the volume that a bind in flight holds for the claim
 * @param awaited what the claim waits for
 * @param told the last news about the claim, so that news are told on change only (D13)
 * @param made storage that was made for the claim and has no volume object yet
 * @param retry when a node's agent may be asked again
 */
record ClaimState(Optional<String> reserved, Optional<Awaited> awaited, String told, Optional<Made> made, Retry retry)
        implements KeyState {
    static final ClaimState NONE = new ClaimState(Optional.empty(), Optional.empty(), "", Optional.empty(), Retry.NONE);

    ClaimState reserving(String volume) {
        return new ClaimState(Optional.of(volume), Optional.empty(), told, made, retry);
    }

    ClaimState idle() {
        return new ClaimState(Optional.empty(), Optional.empty(), told, made, retry);
    }

    ClaimState waitingFor(Awaited news) {
        return new ClaimState(Optional.empty(), Optional.of(news), told, made, retry);
    }

    ClaimState telling(String news) {
        return new ClaimState(reserved, awaited, news, made, retry);
    }

    ClaimState having(Made storage) {
        return new ClaimState(reserved, awaited, told, Optional.of(storage), retry);
    }

    ClaimState withoutMade() {
        return new ClaimState(reserved, awaited, told, Optional.empty(), retry);
    }

    ClaimState withRetry(Retry next) {
        return new ClaimState(reserved, awaited, told, made, next);
    }

    /** The state to keep; nothing if there is nothing to remember. */
    Optional<KeyState> kept() {
        return equals(NONE) ? Optional.empty() : Optional.of(this);
    }

    /**
     * Storage that a plugin made.
     *
     * @param provisioner who made it
     * @param request for which wish
     * @param template what it made
     * @param certain whether it surely did; else its answer was lost
     */
    record Made(String provisioner, ProvisionRequest request, VolumeTemplate template, boolean certain) {}
}
