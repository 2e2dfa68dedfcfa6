// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.storage.model.AttachedVolume;
import dev.mooring.storage.model.Node;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Which volumes a Node shows in use and attached, both at once. Pure. */
final class NodeVolumes {
    private NodeVolumes() {}

    /** The volumes of which a change says something new, in order of their names. */
    static Set<String> changed(ObjectChange<Node> change) {
        boolean sameStatus =
                change.before().map(Node::status).equals(change.after().map(Node::status));
        boolean sameUid = change.before()
                .map(node -> node.metadata().uid())
                .equals(change.after().map(node -> node.metadata().uid()));
        if (sameStatus && sameUid) {
            return Set.of();
        }
        Set<String> before = shown(change.before());
        Set<String> after = shown(change.after());
        Set<String> changed = new TreeSet<>(before);
        changed.addAll(after);
        if (sameUid) {
            changed.removeIf(name -> before.contains(name) && after.contains(name));
        }
        return changed;
    }

    private static Set<String> shown(Optional<Node> node) {
        Set<String> attached = new HashSet<>();
        node.ifPresent(found -> {
            for (AttachedVolume volume : found.status().volumesAttached()) {
                attached.add(volume.name());
            }
            attached.retainAll(new HashSet<>(found.status().volumesInUse()));
        });
        return attached;
    }
}
