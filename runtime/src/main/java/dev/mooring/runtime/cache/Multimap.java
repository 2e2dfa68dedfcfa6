// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.cache;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apiguardian.api.API;

/** Sets by key, each in its order; an empty set takes no room. Not thread-safe: confined to the decider. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Multimap<K, V extends Comparable<? super V>> {
    private final Map<K, TreeSet<V>> sets = new HashMap<>();

    /** Empty. */
    public Multimap() {}

    /** Adds a value to the set of a key; does nothing if it is there. */
    public void add(K key, V value) {
        sets.computeIfAbsent(key, k -> new TreeSet<>()).add(value);
    }

    /** Takes a value out of the set of a key; does nothing if it is not there. */
    public void remove(K key, V value) {
        TreeSet<V> set = sets.get(key);
        if (set != null && set.remove(value) && set.isEmpty()) {
            sets.remove(key);
        }
    }

    /** Whether nothing is in any set. */
    public boolean isEmpty() {
        return sets.isEmpty();
    }

    /** Whether anything is in the set of a key. */
    public boolean hasAny(K key) {
        return sets.containsKey(key);
    }

    /** Whether a value is in the set of a key. */
    public boolean has(K key, V value) {
        TreeSet<V> set = sets.get(key);
        return set != null && set.contains(value);
    }

    /** The first of the set of a key; empty if the set is. */
    public Optional<V> first(K key) {
        return Optional.ofNullable(sets.get(key)).map(TreeSet::first);
    }

    /** A view of the set of a key, to be looked at before anything is added or removed. */
    public SortedSet<V> of(K key) {
        TreeSet<V> set = sets.get(key);
        return set == null ? Collections.emptySortedSet() : Collections.unmodifiableSortedSet(set);
    }

    /** The set of a key as it is now, in its order. */
    public Set<V> copyOf(K key) {
        return new TreeSet<>(of(key));
    }
}
