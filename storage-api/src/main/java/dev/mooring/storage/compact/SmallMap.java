// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.compact;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map of a few keys in one array, in the order given. An object of an API has about ten maps of about four keys each, and a
 * store keeps every one of them for as long as the object lives: a hash table with its nodes would take five times the memory, and be
 * no faster at that size.
 *
 * @param <V> the values
 */
public class SmallMap<V> extends AbstractMap<String, V> {
    private static final SmallMap<Object> EMPTY = new SmallMap<>(new Object[0]);

    /** The most keys that are looked for one after the other. */
    public static final int MOST = 16;

    final Object[] keysAndValues;

    /** Takes over the array: a key, its value, the next key; no key twice. */
    SmallMap(Object[] keysAndValues) {
        this.keysAndValues = keysAndValues;
    }

    /** The map without keys. */
    public static SmallMap<Object> empty() {
        return EMPTY;
    }

    /** The same for any number of keys. */
    public static <V> SmallMap<V> of(Object[] keysAndValues) {
        return keysAndValues.length <= 2 * MOST ? new SmallMap<>(keysAndValues) : new LargeMap<>(keysAndValues);
    }

    /** An unmodifiable map of the same order. The caller no longer changes the given one. */
    public static <V> SmallMap<V> frozen(Map<String, V> map) {
        if (map instanceof SmallMap<V> frozen) {
            return frozen;
        }
        Object[] both = new Object[2 * map.size()];
        int at = 0;
        for (Map.Entry<String, V> entry : map.entrySet()) {
            both[at++] = entry.getKey();
            both[at++] = entry.getValue();
        }
        return of(both);
    }

    /** The same with one value more, or another one. */
    public SmallMap<V> with(String key, V value) {
        int at = find(key);
        Object[] both = Arrays.copyOf(keysAndValues, keysAndValues.length + (at < 0 ? 2 : 0));
        if (at < 0) {
            both[keysAndValues.length] = key;
            both[keysAndValues.length + 1] = value;
            return of(both);
        }
        both[at + 1] = value;
        return like(both);
    }

    /** A map of other values. */
    SmallMap<V> like(Object[] sameKeys) {
        return new SmallMap<>(sameKeys);
    }

    @Override
    public final int size() {
        return keysAndValues.length / 2;
    }

    /** The place of a key; -1 if there is none. */
    int find(@Nullable Object key) {
        if (key instanceof String text) {
            int hash = text.hashCode();
            for (int i = 0; i < keysAndValues.length; i += 2) {
                Object known = keysAndValues[i];
                if (known == text || (known.hashCode() == hash && known.equals(text))) {
                    return i;
                }
            }
        }
        return -1;
    }

    @Override
    public @Nullable V get(@Nullable Object key) {
        int at = find(key);
        return at < 0 ? null : value(at);
    }

    @SuppressWarnings("unchecked") // behind a key stands its value
    private V value(int keyAt) {
        return (V) keysAndValues[keyAt + 1];
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return find(key) >= 0;
    }

    /** Whether a condition holds of all values. */
    public final boolean allMatch(Predicate<? super V> condition) {
        for (int i = 0; i < keysAndValues.length; i += 2) {
            if (!condition.test(value(i))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void forEach(BiConsumer<? super String, ? super V> action) {
        for (int i = 0; i < keysAndValues.length; i += 2) {
            action.accept((String) keysAndValues[i], value(i));
        }
    }

    @Override
    public Set<Entry<String, V>> entrySet() {
        return new Entries();
    }

    private final class Entries extends AbstractSet<Entry<String, V>> {
        @Override
        public int size() {
            return SmallMap.this.size();
        }

        @Override
        public Iterator<Entry<String, V>> iterator() {
            return new Iterator<>() {
                private int at;

                @Override
                public boolean hasNext() {
                    return at < keysAndValues.length;
                }

                @Override
                public Entry<String, V> next() {
                    if (!hasNext()) {
                        throw new NoSuchElementException();
                    }
                    at += 2;
                    return Map.entry((String) keysAndValues[at - 2], value(at - 2));
                }
            };
        }
    }
}
