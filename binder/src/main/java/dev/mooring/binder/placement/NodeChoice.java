// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.placement;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeNodeAffinity;
import dev.mooring.storage.spi.NodeRef;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * On which node a plugin that works where the data is has to be called. A cluster without Node objects is one process on one machine:
 * there the call is made by the controllers themselves.
 */
public final class NodeChoice {
    private NodeChoice() {}

    /**
     * All of a node that decisions about claims and volumes depend on, here and in {@code SelectedNode}.
     *
     * @param uid which Node of that name
     * @param labels by which volumes say from where they can be reached
     * @param deleting whether it is going
     * @param ready whether its agent works
     */
    public record Facts(String uid, Map<String, String> labels, boolean deleting, boolean ready) {
        /** Of a node as it is now. */
        public static Facts of(Node node) {
            ObjectMeta metadata = node.metadata();
            return new Facts(metadata.uid(), metadata.labels(), metadata.isDeleting(), node.isReady());
        }
    }

    /** Whether there are Node objects at all. */
    public static boolean hasNodes(Caches caches) {
        return caches.of(Kinds.NODE).size() > 0;
    }

    /** The node that holds a volume's data: the only one that its node affinity allows; empty if that is not exactly one. */
    public static Optional<NodeRef> holding(Caches caches, PersistentVolume volume) {
        List<Node> allowed = allowed(caches, volume);
        return allowed.size() == 1 ? Optional.of(refOf(allowed.get(0))) : Optional.empty();
    }

    /** Whether no node that there is may hold a volume's data. */
    public static boolean isNowhere(Caches caches, PersistentVolume volume) {
        return allowed(caches, volume).isEmpty();
    }

    private static List<Node> allowed(Caches caches, PersistentVolume volume) {
        return caches.of(Kinds.NODE).all().stream()
                .filter(node -> volume.spec()
                        .nodeAffinity()
                        .map(affinity -> affinity.matches(node.metadata().labels()))
                        .orElse(true))
                .toList();
    }

    /**
     * The node that shall hold a claim's new volume: the one that the scheduler selected, else by name the first ready one that the class
     * allows.
     *
     * @param affinity where else the node has to be; empty for anywhere. A node that was selected is answered all the same
     */
    public static Optional<NodeRef> forNew(
            Caches caches,
            PersistentVolumeClaim claim,
            StorageClass storageClass,
            Optional<VolumeNodeAffinity> affinity) {
        if (claim.metadata().annotation(Annotations.SELECTED_NODE).isPresent()) {
            return selected(caches, claim);
        }
        return caches.of(Kinds.NODE).all().stream()
                .filter(node -> !node.metadata().isDeleting() && node.isReady())
                .filter(node -> Topologies.allow(storageClass, node.metadata().labels()))
                .filter(node -> affinity.isEmpty()
                        || affinity.get().matches(node.metadata().labels()))
                .findFirst()
                .map(NodeChoice::refOf);
    }

    /** The node that the scheduler selected for a claim, if it did and the node exists. */
    public static Optional<NodeRef> selected(Caches caches, PersistentVolumeClaim claim) {
        return claim.metadata()
                .annotation(Annotations.SELECTED_NODE)
                .flatMap(name -> caches.get(Kinds.NODE, ObjectKey.cluster(name)))
                .map(NodeChoice::refOf);
    }

    /** The labels of a node, by which its plugins limit from where a new volume can be reached. */
    public static Map<String, String> labelsOf(Caches caches, Optional<NodeRef> node) {
        return node.flatMap(chosen -> caches.get(Kinds.NODE, ObjectKey.cluster(chosen.name())))
                .map(found -> found.metadata().labels())
                .orElse(Map.of());
    }

    private static NodeRef refOf(Node node) {
        return new NodeRef(node.metadata().name(), node.metadata().uid());
    }
}
