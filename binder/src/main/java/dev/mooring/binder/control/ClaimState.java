// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.index.Awaited;
import dev.mooring.runtime.control.KeyState;
import java.util.Map;
import java.util.Optional;

/**
 * What the binder remembers about a claim.
 *
 * @param reserved the volume that a bind in flight holds for the claim
 * @param queued whether it waits until fewer binds are under way (D4)
 * @param awaited what the claim waits for
 * @param told the last news about the claim, so that news are told on change only (D13)
 * @param storage what is known of storage that was made for the claim
 * @param retry when a node's agent may be asked again
 * @param nodeUnreadySince since when, in monotonic nanoseconds, the node selected for the claim is known not to be ready (D10)
 * @param refused the volumes that the store would not let us change for the claim, each with the version that it was refused at
 */
record ClaimState(
        Optional<String> reserved,
        boolean queued,
        Optional<Awaited> awaited,
        String told,
        ClaimStorage storage,
        Retry retry,
        Optional<Long> nodeUnreadySince,
        Map<String, String> refused)
        implements KeyState {
    static final ClaimState NONE = new ClaimState(
            Optional.empty(),
            false,
            Optional.empty(),
            "",
            ClaimStorage.UNKNOWN,
            Retry.NONE,
            Optional.empty(),
            Map.of());

    ClaimState reserving(String volume) {
        return new ClaimState(
                Optional.of(volume), false, Optional.empty(), told, storage, retry, Optional.empty(), refused);
    }

    ClaimState queueing() {
        return new ClaimState(Optional.empty(), true, awaited, told, storage, retry, nodeUnreadySince, refused);
    }

    ClaimState idle() {
        return new ClaimState(
                Optional.empty(), false, Optional.empty(), told, storage, retry, Optional.empty(), Map.of());
    }

    ClaimState waitingFor(Awaited news) {
        return new ClaimState(
                Optional.empty(), false, Optional.of(news), told, storage, retry, nodeUnreadySince, refused);
    }

    ClaimState telling(String news) {
        return new ClaimState(reserved, queued, awaited, news, storage, retry, nodeUnreadySince, refused);
    }

    ClaimState withStorage(ClaimStorage known) {
        return new ClaimState(reserved, queued, awaited, told, known, retry, nodeUnreadySince, refused);
    }

    ClaimState withRetry(Retry next) {
        return new ClaimState(reserved, queued, awaited, told, storage, next, nodeUnreadySince, refused);
    }

    ClaimState withNodeUnreadySince(Optional<Long> nanos) {
        return new ClaimState(reserved, queued, awaited, told, storage, retry, nanos, refused);
    }

    ClaimState withRefused(Map<String, String> versions) {
        return new ClaimState(reserved, queued, awaited, told, storage, retry, nodeUnreadySince, Map.copyOf(versions));
    }

    /** Storage that was made and has no volume object yet. */
    Optional<ClaimStorage.Made> made() {
        return storage.made();
    }

    /** The state to keep; nothing if there is nothing to remember. */
    Optional<KeyState> kept() {
        return equals(NONE) ? Optional.empty() : Optional.of(this);
    }
}
