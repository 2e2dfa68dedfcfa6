// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which lists of attached volumes may still reach which Nodes: a volume must not be detached while a node may yet be told that it has
 * it. Derived from the states of {@link NodeWriter}; confined to the decider.
 */
final class Reports {
    private final Map<String, ReportState> byNode = new HashMap<>();

    /** Whether a list may still come that names a volume. */
    boolean mayStillList(String node, String reportedName) {
        ReportState underway = byNode.get(node);
        return underway != null && underway.names().contains(reportedName);
    }

    /** Whether any list may still come. */
    boolean isUnderway(String node) {
        return byNode.containsKey(node);
    }

    /** Learns what may still come; answers with the volumes that no list on its way names any more. */
    Set<String> learn(String node, Optional<ReportState> now) {
        ReportState before = now.isPresent() ? byNode.put(node, now.get()) : byNode.remove(node);
        Set<String> settled = before == null ? new TreeSet<>() : new TreeSet<>(before.names());
        now.ifPresent(state -> settled.removeAll(state.names()));
        return settled;
    }
}
