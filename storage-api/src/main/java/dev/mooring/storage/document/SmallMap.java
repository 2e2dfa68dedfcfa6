// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.document;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map of a few keys in one array, in the order given. An object of an API has about ten maps of about four keys each, and a
 * store keeps every one of them for as long as the object lives: a hash table with its nodes would take five times the memory, and be
 * no faster at that size.
 */
class SmallMap extends AbstractMap<String, Object> {
    /** The most keys that are looked for one after the other. */
    static final int MOST = 16;

    final Object[] keysAndValues;

    /** Takes over the array: a key, its value, the next key; no key twice. */
    SmallMap(Object[] keysAndValues) {
        this.keysAndValues = keysAndValues;
    }

    /** The same for any number of keys. */
    static SmallMap of(Object[] keysAndValues) {
        return keysAndValues.length <= 2 * MOST ? new SmallMap(keysAndValues) : new LargeMap(keysAndValues);
    }

    /** A map of the same order, whose values are normalised. */
    static SmallMap frozen(Map<String, Object> map) {
        if (map instanceof SmallMap frozen) {
            return frozen;
        }
        Object[] both = new Object[2 * map.size()];
        int at = 0;
        for (Map.Entry<String, Object> entry : map.entrySet()) {
            both[at++] = entry.getKey();
            both[at++] = entry.getValue();
        }
        return of(both);
    }

    /** The same with one value more, or another one. */
    SmallMap with(String key, Object value) {
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
    SmallMap like(Object[] sameKeys) {
        return new SmallMap(sameKeys);
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
    public @Nullable Object get(@Nullable Object key) {
        int at = find(key);
        return at < 0 ? null : keysAndValues[at + 1];
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return find(key) >= 0;
    }

    @Override
    public void forEach(BiConsumer<? super String, ? super Object> action) {
        for (int i = 0; i < keysAndValues.length; i += 2) {
            action.accept((String) keysAndValues[i], keysAndValues[i + 1]);
        }
    }

    @Override
    public Set<Entry<String, Object>> entrySet() {
        return new Entries();
    }

    private final class Entries extends AbstractSet<Entry<String, Object>> {
        @Override
        public int size() {
            return SmallMap.this.size();
        }

        @Override
        public Iterator<Entry<String, Object>> iterator() {
            return new Iterator<>() {
                private int at;

                @Override
                public boolean hasNext() {
                    return at < keysAndValues.length;
                }

                @Override
                public Entry<String, Object> next() {
                    if (!hasNext()) {
                        throw new NoSuchElementException();
                    }
                    at += 2;
                    return Map.entry((String) keysAndValues[at - 2], keysAndValues[at - 1]);
                }
            };
        }
    }
}
