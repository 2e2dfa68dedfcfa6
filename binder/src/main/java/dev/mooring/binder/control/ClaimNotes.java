// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import java.util.Map;
import java.util.Optional;

/**
 * What the binder remembers about a claim whatever it waits for.
 *
 * @param told the last news about the claim, so that news are told on change only (D13)
 * @param storage what is known of storage that was made for the claim
 * @param retry when a node's agent may be asked again
 * @param nodeUnreadySince since when, in monotonic nanoseconds, the node selected for the claim is known not to be ready (D10)
 * @param nodeSeen the node selected for the claim, once it was known to exist; without it, no node may mean one machine without Nodes
 * @param refused the volumes that the store would not let us change for the claim, each with the version that it was refused at
 */
record ClaimNotes(
        String told,
        ClaimStorage storage,
        Retry retry,
        Optional<Long> nodeUnreadySince,
        Optional<String> nodeSeen,
        Map<String, String> refused) {
    static final ClaimNotes NONE =
            new ClaimNotes("", ClaimStorage.UNKNOWN, Retry.NONE, Optional.empty(), Optional.empty(), Map.of());

    ClaimNotes withTold(String news) {
        return new ClaimNotes(news, storage, retry, nodeUnreadySince, nodeSeen, refused);
    }

    ClaimNotes withStorage(ClaimStorage known) {
        return new ClaimNotes(told, known, retry, nodeUnreadySince, nodeSeen, refused);
    }

    ClaimNotes withRetry(Retry next) {
        return new ClaimNotes(told, storage, next, nodeUnreadySince, nodeSeen, refused);
    }

    ClaimNotes withNodeUnreadySince(Optional<Long> nanos) {
        return new ClaimNotes(told, storage, retry, nanos, nodeSeen, refused);
    }

    ClaimNotes withNodeSeen(Optional<String> name) {
        return new ClaimNotes(told, storage, retry, nodeUnreadySince, name, refused);
    }

    /** The same, for a claim that needs no node any more. */
    ClaimNotes withoutNode() {
        return withNodeUnreadySince(Optional.empty()).withNodeSeen(Optional.empty());
    }

    ClaimNotes withRefused(Map<String, String> versions) {
        return new ClaimNotes(told, storage, retry, nodeUnreadySince, nodeSeen, Map.copyOf(versions));
    }
}
