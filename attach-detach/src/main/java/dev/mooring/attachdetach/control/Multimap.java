// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Sets by key, each in its order; an empty set is not kept. Confined to the decider. */
final class Multimap<K, V extends Comparable<V>> {
    private final Map<K, TreeSet<V>> sets = new HashMap<>();

    void add(K key, V value) {
        sets.computeIfAbsent(key, k -> new TreeSet<>()).add(value);
    }

    void remove(K key, V value) {
        TreeSet<V> set = sets.get(key);
        if (set != null && set.remove(value) && set.isEmpty()) {
            sets.remove(key);
        }
    }

    /** A copy. */
    Set<V> of(K key) {
        TreeSet<V> set = sets.get(key);
        return set == null ? Set.of() : new TreeSet<>(set);
    }

    /** The first of a set. */
    Optional<V> first(K key) {
        return Optional.ofNullable(sets.get(key)).map(TreeSet::first);
    }
}
