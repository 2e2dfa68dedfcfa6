// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.BinderRule;
import dev.mooring.binder.index.Awaited;
import dev.mooring.runtime.control.KeyState;
import java.util.Optional;

/**
 * What the binder remembers about a claim.
 *
 * @param reserved the volume that a bind in flight holds for the claim
 * @param queued whether it waits until fewer binds are under way (D4)
 * @param awaited what the claim waits for
 * @param told the last news about the claim, so that news are told on change only (D13)
 * @param storage what is known of storage that was made for the claim
 * @param rule the rule that decided last, while the claim waits
 * @param retry when a node's agent may be asked again
 * @param nodeUnreadySince since when, in monotonic nanoseconds, the node selected for the claim is known not to be ready (D10)
 */
record ClaimState(
        Optional<String> reserved,
        boolean queued,
        Optional<Awaited> awaited,
        String told,
        ClaimStorage storage,
        Optional<BinderRule> rule,
        Retry retry,
        Optional<Long> nodeUnreadySince)
        implements KeyState {
    static final ClaimState NONE = new ClaimState(
            Optional.empty(),
            false,
            Optional.empty(),
            "",
            ClaimStorage.UNKNOWN,
            Optional.empty(),
            Retry.NONE,
            Optional.empty());

    ClaimState reserving(String volume) {
        return new ClaimState(
                Optional.of(volume), false, Optional.empty(), told, storage, rule, retry, Optional.empty());
    }

    ClaimState queueing() {
        return new ClaimState(Optional.empty(), true, awaited, told, storage, rule, retry, nodeUnreadySince);
    }

    ClaimState idle() {
        return new ClaimState(
                Optional.empty(), false, Optional.empty(), told, storage, Optional.empty(), retry, Optional.empty());
    }

    ClaimState waitingFor(Awaited news) {
        return new ClaimState(Optional.empty(), false, Optional.of(news), told, storage, rule, retry, nodeUnreadySince);
    }

    ClaimState telling(String news) {
        return new ClaimState(reserved, queued, awaited, news, storage, rule, retry, nodeUnreadySince);
    }

    ClaimState by(BinderRule decided) {
        return new ClaimState(reserved, queued, awaited, told, storage, Optional.of(decided), retry, nodeUnreadySince);
    }

    ClaimState withStorage(ClaimStorage known) {
        return new ClaimState(reserved, queued, awaited, told, known, rule, retry, nodeUnreadySince);
    }

    ClaimState withRetry(Retry next) {
        return new ClaimState(reserved, queued, awaited, told, storage, rule, next, nodeUnreadySince);
    }

    ClaimState withNodeUnreadySince(Optional<Long> nanos) {
        return new ClaimState(reserved, queued, awaited, told, storage, rule, retry, nanos);
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
