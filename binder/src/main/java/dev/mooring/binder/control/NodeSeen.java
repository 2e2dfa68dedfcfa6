// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import java.util.Optional;

/**
 * What was seen of the node selected for a claim.
 *
 * @param name the node, once it was known to exist; without it, no node may mean one machine without Nodes
 * @param unreadySince since when, in monotonic nanoseconds, it is known not to be ready (D10)
 */
record NodeSeen(Optional<String> name, Optional<Long> unreadySince) {
    static final NodeSeen NONE = new NodeSeen(Optional.empty(), Optional.empty());

    NodeSeen withName(String seen) {
        return new NodeSeen(Optional.of(seen), unreadySince);
    }

    NodeSeen withUnreadySince(Optional<Long> nanos) {
        return new NodeSeen(name, nanos);
    }
}
