// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.storage.model.NodeSelector;
import dev.mooring.storage.model.NodeSelectorRequirement;
import dev.mooring.storage.model.NodeSelectorTerm;
import dev.mooring.storage.model.Quantity;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The free volumes of one class by the nodes that reach them, in order of capacity, then name (semantics/binder §2.6, "Scheduler
 * variant").
 *
 * <pre>
 *   any      no affinity                                  → volumes
 *   in       one term with one expression In: key, value  → volumes     looked up by the node's own labels
 *   generic  any other affinity                           → volumes     evaluated once per distinct affinity and node
 * </pre>
 *
 * Confined to the decider.
 */
final class AffinityBuckets {
    private final Bucket any = new Bucket();
    private final Map<String, Map<String, Bucket>> in = new TreeMap<>();
    private final Map<NodeSelector, Bucket> generic = new LinkedHashMap<>();

    /** Volumes in order of capacity, then name. */
    private static final class Bucket {
        private final TreeMap<Place, StaticVolume> volumes = new TreeMap<>();

        @Nullable
        StaticVolume first(Quantity atLeast, Predicate<StaticVolume> condition, @Nullable StaticVolume best) {
            for (StaticVolume volume :
                    volumes.tailMap(new Place(atLeast, ""), true).values()) {
                if (best != null && Place.of(volume).compareTo(Place.of(best)) >= 0) {
                    return best;
                }
                if (condition.test(volume)) {
                    return volume;
                }
            }
            return best;
        }

        /** The same without a volume; null if it was the last. */
        @Nullable
        Bucket without(Place place) {
            volumes.remove(place);
            return volumes.isEmpty() ? null : this;
        }
    }

    private record Place(Quantity capacity, String name) implements Comparable<Place> {
        static Place of(StaticVolume volume) {
            return new Place(volume.capacity(), volume.name());
        }

        @Override
        public int compareTo(Place other) {
            int byCapacity = capacity.compareTo(other.capacity);
            return byCapacity == 0 ? name.compareTo(other.name) : byCapacity;
        }
    }

    void add(StaticVolume volume) {
        Place place = Place.of(volume);
        Optional<NodeSelectorRequirement> single = singleIn(volume);
        if (volume.affinity().isEmpty()) {
            any.volumes.put(place, volume);
        } else if (single.isPresent()) {
            Map<String, Bucket> byValue = in.computeIfAbsent(single.get().key(), k -> new HashMap<>());
            new TreeSet<>(single.get().values())
                    .forEach(value -> byValue.computeIfAbsent(value, v -> new Bucket())
                            .volumes
                            .put(place, volume));
        } else {
            generic.computeIfAbsent(volume.affinity().get(), a -> new Bucket())
                    .volumes
                    .put(place, volume);
        }
    }

    void remove(StaticVolume volume) {
        Place place = Place.of(volume);
        Optional<NodeSelectorRequirement> single = singleIn(volume);
        if (volume.affinity().isEmpty()) {
            any.volumes.remove(place);
        } else if (single.isPresent()) {
            single.get().values().forEach(value -> removeIn(single.get().key(), value, place));
        } else {
            generic.computeIfPresent(volume.affinity().get(), (same, bucket) -> bucket.without(place));
        }
    }

    private void removeIn(String key, String value, Place place) {
        in.computeIfPresent(key, (k, byValue) -> {
            byValue.computeIfPresent(value, (v, bucket) -> bucket.without(place));
            return byValue.isEmpty() ? null : byValue;
        });
    }

    boolean isEmpty() {
        return any.volumes.isEmpty() && in.isEmpty() && generic.isEmpty();
    }

    /** The one expression of an affinity that names values of one label; empty for every other affinity. */
    private static Optional<NodeSelectorRequirement> singleIn(StaticVolume volume) {
        List<NodeSelectorTerm> terms =
                volume.affinity().map(NodeSelector::nodeSelectorTerms).orElse(List.of());
        boolean single = terms.size() == 1
                && terms.get(0).matchFields().isEmpty()
                && terms.get(0).matchExpressions().size() == 1
                && terms.get(0).matchExpressions().get(0).operator().equals("In")
                && !terms.get(0).matchExpressions().get(0).values().isEmpty();
        return single ? Optional.of(terms.get(0).matchExpressions().get(0)) : Optional.empty();
    }

    /** The smallest volume, the first by name of equals, that is large enough, within reach of a node, and fulfils a condition. */
    Optional<StaticVolume> first(Quantity atLeast, Map<String, String> nodeLabels, Predicate<StaticVolume> condition) {
        StaticVolume best = any.first(atLeast, condition, null);
        for (Map.Entry<String, Map<String, Bucket>> byKey : in.entrySet()) {
            String value = nodeLabels.get(byKey.getKey());
            Bucket bucket = value == null ? null : byKey.getValue().get(value);
            best = bucket == null ? best : bucket.first(atLeast, condition, best);
        }
        for (Map.Entry<NodeSelector, Bucket> byAffinity : generic.entrySet()) {
            if (byAffinity.getKey().matches(nodeLabels)) {
                best = byAffinity.getValue().first(atLeast, condition, best);
            }
        }
        return Optional.ofNullable(best);
    }
}
