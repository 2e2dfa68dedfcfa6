// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.placement.NodeChoice.Facts;
import dev.mooring.binder.placement.Topologies;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.StorageClass;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What decisions about claims and volumes depend on of each node. Confined to the decider. */
final class KnownNodes {
    private final Map<String, Facts> byName = new HashMap<>();

    /** Learns of a change; empty if it changes nothing that matters: each node says every few minutes that it is still there. */
    Optional<Change> update(String name, Optional<Node> node) {
        Optional<Facts> after = node.map(Facts::of);
        Optional<Facts> before = Optional.ofNullable(byName.get(name));
        if (before.equals(after)) {
            return Optional.empty();
        }
        boolean hadAny = !byName.isEmpty();
        after.ifPresentOrElse(facts -> byName.put(name, facts), () -> byName.remove(name));
        return Optional.of(new Change(name, before, after, hadAny == byName.isEmpty()));
    }

    Collection<Facts> all() {
        return Collections.unmodifiableCollection(byName.values());
    }

    /**
     * Another state of a node.
     *
     * @param name the node's name
     * @param before what was known of it; empty if it is new
     * @param after what is known of it now; empty if it has gone
     * @param firstOrLast whether the first node came or the last one went: without nodes, everything is on one machine
     */
    record Change(String name, Optional<Facts> before, Optional<Facts> after, boolean firstOrLast) {
        /** Whether new storage of a class can be made on the node now, and could not be before. */
        boolean helps(StorageClass storageClass) {
            return after.filter(facts -> isUsable(facts, storageClass)).isPresent()
                    && before.filter(facts -> isUsable(facts, storageClass)).isEmpty();
        }

        private static boolean isUsable(Facts facts, StorageClass storageClass) {
            return !facts.deleting() && facts.ready() && Topologies.allow(storageClass, facts.labels());
        }
    }
}
