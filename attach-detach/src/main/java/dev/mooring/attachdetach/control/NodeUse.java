// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.runtime.cache.Multimap;
import dev.mooring.storage.model.Node;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Of which nodes their status says that they may be using a volume, or that it is attached. Confined to the decider. */
final class NodeUse {
    private final Multimap<String, String> usersOf = new Multimap<>();
    private final Multimap<String, String> listersOf = new Multimap<>();
    private final Multimap<String, String> leftBehind = new Multimap<>();

    /** Learns a change; answers with the volumes whose users have changed. */
    Set<String> update(Optional<Node> before, Optional<Node> after) {
        before.ifPresent(node -> listed(before)
                .forEach(volume -> listersOf.remove(volume, node.metadata().name())));
        after.ifPresent(node -> listed(after)
                .forEach(volume -> listersOf.add(volume, node.metadata().name())));
        Set<String> was = before.<Set<String>>map(
                        node -> new TreeSet<>(node.status().volumesInUse()))
                .orElse(Set.of());
        Set<String> is = after.<Set<String>>map(
                        node -> new TreeSet<>(node.status().volumesInUse()))
                .orElse(Set.of());
        Set<String> changed = new TreeSet<>();
        before.ifPresent(node -> was.stream()
                .filter(volume -> !is.contains(volume))
                .forEach(volume -> {
                    usersOf.remove(volume, node.metadata().name());
                    leftBehind.remove(volume, node.metadata().name());
                    changed.add(volume);
                }));
        after.ifPresent(node -> is.stream()
                .filter(volume -> !was.contains(volume))
                .forEach(volume -> {
                    usersOf.add(volume, node.metadata().name());
                    changed.add(volume);
                }));
        return changed;
    }

    /** The volumes that a Node's status lists as attached: a set of the caller's own. */
    static Set<String> listed(Optional<Node> node) {
        Set<String> names = new TreeSet<>();
        node.ifPresent(n -> n.status().volumesAttached().forEach(volume -> names.add(volume.name())));
        return names;
    }

    /** The nodes whose status lists a volume as attached. */
    Set<String> listersOf(String reportedName) {
        return listersOf.copyOf(reportedName);
    }

    /** The nodes that list a volume as in use. */
    Set<String> usersOf(String reportedName) {
        return usersOf.copyOf(reportedName);
    }

    /** Notes that a volume begins to be taken from a node: if the node lists it now as in use, that is by force, and it may really have it. */
    void beingTaken(String reportedName, String node) {
        if (usersOf.has(reportedName, node)) {
            leftBehind.add(reportedName, node);
        }
    }

    /** Whether a node has listed a volume ever since that was taken from it by force. */
    boolean isLeftBehind(String reportedName, String node) {
        return leftBehind.has(reportedName, node);
    }
}
