// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.cache.Interest;
import dev.mooring.runtime.plugin.NodeIntent;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Pod;
import dev.mooring.volumemanager.NodeConfig;
import java.util.ArrayList;
import java.util.List;

/**
 * What a node's agent sees of the cluster: its own Node, the pods that are bound to it, the volumes on which it has work, and what {@link
 * NeededObjects} finds to be needed by these. So neither its memory nor its traffic grows with the cluster, and it reads no more than
 * Kubernetes' node authorizer would let a kubelet read.
 */
public final class NodeInterest {
    private NodeInterest() {}

    /** A kind, and those whose objects work on a volume may need; of snapshots only if they are served. */
    public static List<Kind<?>> kindsOfWork(Kind<?> first, NodeConfig config) {
        List<Kind<?>> all = new ArrayList<>(List.of(
                first,
                Kinds.PERSISTENT_VOLUME,
                Kinds.PERSISTENT_VOLUME_CLAIM,
                Kinds.POD,
                Kinds.STORAGE_CLASS,
                Kinds.VOLUME_ATTRIBUTES_CLASS));
        if (config.snapshots()) {
            all.add(Kinds.VOLUME_SNAPSHOT);
            all.add(Kinds.VOLUME_SNAPSHOT_CONTENT);
        }
        return List.copyOf(all);
    }

    /** Which objects of a kind concern a node. */
    public static Interest of(Kind<?> kind, NodeConfig config) {
        String node = config.node().name();
        if (kind.equals(Kinds.POD)) {
            return Interest.selected(
                    "spec.nodeName=" + node,
                    object -> object instanceof Pod pod && pod.spec().nodeName().equals(node));
        } else if (kind.equals(Kinds.NODE)) {
            return Interest.selected(
                    "metadata.name=" + node, object -> object.metadata().name().equals(node));
        }
        return kind.equals(Kinds.PERSISTENT_VOLUME)
                ? Interest.namedOrLabelled(NodeIntent.workOn(node))
                : Interest.NAMED;
    }
}
