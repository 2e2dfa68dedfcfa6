// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

/**
 * What the binder remembers of the storage that is made for a claim.
 *
 * @param storage what is known of storage that was made
 * @param retry when a node's agent may be asked again
 * @param node what was seen of the node selected for the claim
 */
record ProvisioningNotes(ClaimStorage storage, Retry retry, NodeSeen node) {
    static final ProvisioningNotes NONE = new ProvisioningNotes(ClaimStorage.UNKNOWN, Retry.NONE, NodeSeen.NONE);

    ProvisioningNotes with(ClaimStorage known) {
        return new ProvisioningNotes(known, retry, node);
    }

    ProvisioningNotes with(Retry next) {
        return new ProvisioningNotes(storage, next, node);
    }

    ProvisioningNotes with(NodeSeen seen) {
        return new ProvisioningNotes(storage, retry, seen);
    }
}
