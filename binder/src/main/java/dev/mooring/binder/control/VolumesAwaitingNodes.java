// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.placement.NodeChoice.Facts;
import dev.mooring.runtime.cache.Multimap;
import dev.mooring.runtime.plugin.NodeIntent;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.VolumeNodeAffinity;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The volumes that wait for changes of nodes: of the node that is asked to make or reclaim their storage, or else, until exactly one node
 * fits, of those that their node affinity allows. Confined to the decider.
 */
final class VolumesAwaitingNodes {
    private final KnownNodes nodes;
    private final Map<String, Awaited> awaited = new HashMap<>();
    private final Multimap<String, String> byNode = new Multimap<>();
    private final Map<Optional<VolumeNodeAffinity>, Place> byAffinity = new HashMap<>();

    VolumesAwaitingNodes(KnownNodes nodes) {
        this.nodes = nodes;
    }

    /** What one volume waits for: the node of this name, or the affinity if no node is asked. */
    private record Awaited(Optional<String> node, Optional<VolumeNodeAffinity> affinity) {
        static Awaited by(PersistentVolume volume) {
            return new Awaited(NodeIntent.askedNode(volume), volume.spec().nodeAffinity());
        }
    }

    /** The nodes that one affinity allows, counted, and the volumes that wait for one more or one less. */
    private static final class Place {
        private final Set<String> volumes = new TreeSet<>();
        private int allowed;
    }

    void add(PersistentVolume volume) {
        String name = volume.metadata().name();
        Awaited now = Awaited.by(volume);
        if (now.equals(awaited.get(name))) {
            return;
        }
        remove(name);
        awaited.put(name, now);
        now.node()
                .ifPresentOrElse(
                        node -> byNode.add(node, name),
                        () -> byAffinity
                                .computeIfAbsent(now.affinity(), this::place)
                                .volumes
                                .add(name));
    }

    private Place place(Optional<VolumeNodeAffinity> affinity) {
        Place place = new Place();
        place.allowed = (int) nodes.all().stream()
                .filter(node -> allows(affinity, Optional.of(node)))
                .count();
        return place;
    }

    void remove(String volume) {
        Awaited before = awaited.remove(volume);
        if (before == null) {
            return;
        }
        before.node().ifPresent(node -> byNode.remove(node, volume));
        if (before.node().isEmpty()) {
            byAffinity.computeIfPresent(before.affinity(), (same, place) -> {
                place.volumes.remove(volume);
                return place.volumes.isEmpty() ? null : place;
            });
        }
    }

    /** The volumes that a change of a node concerns, by name. */
    Set<String> concernedBy(KnownNodes.Change change) {
        Set<String> concerned = new TreeSet<>(change.firstOrLast() ? awaited.keySet() : byNode.of(change.name()));
        byAffinity.forEach((affinity, place) -> {
            int before = place.allowed;
            place.allowed += (allows(affinity, change.after()) ? 1 : 0) - (allows(affinity, change.before()) ? 1 : 0);
            // Which one it is counts only where it is the only one.
            if (before != place.allowed && Math.min(before, place.allowed) <= 1) {
                concerned.addAll(place.volumes);
            }
        });
        return concerned;
    }

    private static boolean allows(Optional<VolumeNodeAffinity> affinity, Optional<Facts> node) {
        return node.filter(facts ->
                        affinity.map(wanted -> wanted.matches(facts.labels())).orElse(true))
                .isPresent();
    }
}
