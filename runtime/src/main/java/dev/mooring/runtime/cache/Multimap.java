// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.cache;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apiguardian.api.API;

/** Sets by key, each in its order; an empty set takes no room. Not thread-safe: confined to the decider. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Multimap<K, V extends Comparable<? super V>> {
    /** A value, or a {@link TreeSet} of several: nearly all sets have one value only. */
    private final Map<K, Object> sets = new HashMap<>();

    /** Empty. */
    public Multimap() {}

    /** Adds a value to the set of a key; does nothing if it is there. */
    public void add(K key, V value) {
        Object known = sets.putIfAbsent(key, value);
        if (known instanceof TreeSet) {
            several(known).add(value);
        } else if (known != null && !known.equals(value)) {
            TreeSet<V> both = new TreeSet<>();
            both.add(one(known));
            both.add(value);
            sets.put(key, both);
        }
    }

    /** Takes a value out of the set of a key; does nothing if it is not there. */
    public void remove(K key, V value) {
        Object known = sets.get(key);
        if (known instanceof TreeSet) {
            NavigableSet<V> set = several(known);
            if (set.remove(value) && set.size() == 1) {
                sets.put(key, set.first());
            }
        } else if (known != null && known.equals(value)) {
            sets.remove(key);
        }
    }

    @SuppressWarnings("unchecked") // values are no sets
    private NavigableSet<V> several(Object known) {
        return (NavigableSet<V>) known;
    }

    @SuppressWarnings("unchecked") // what is no set is a value
    private V one(Object known) {
        return (V) known;
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
        Object known = sets.get(key);
        return known instanceof TreeSet ? several(known).contains(value) : value.equals(known);
    }

    /** The first of the set of a key; empty if the set is. */
    public Optional<V> first(K key) {
        return Optional.ofNullable(sets.get(key))
                .map(known -> known instanceof TreeSet ? several(known).first() : one(known));
    }

    /** A view of the set of a key, to be looked at before anything is added or removed. */
    public SortedSet<V> of(K key) {
        Object known = sets.get(key);
        if (known == null) {
            return Collections.emptySortedSet();
        }
        return Collections.unmodifiableSortedSet(
                known instanceof TreeSet ? several(known) : new TreeSet<>(List.of(one(known))));
    }

    /** The set of a key as it is now, in its order. */
    public Set<V> copyOf(K key) {
        return new TreeSet<>(of(key));
    }
}
