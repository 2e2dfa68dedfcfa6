// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.codec;

import dev.mooring.storage.compact.KeyTable;
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
 * The members of an object while it is read, in the order in which they stand. Few are looked for one after the other, more by a
 * table.
 */
final class Members extends AbstractMap<String, Object> {
    private static final int FEW = 16;

    private static final Object[] NONE = {};

    private Object[] keysAndValues = NONE; // a body may be a list of very many empty objects
    private int size;

    /** Not made for a few keys. */
    private @Nullable KeyTable table;

    @Override
    public int size() {
        return size;
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return key instanceof String text && find(text) >= 0;
    }

    @Override
    public @Nullable Object get(@Nullable Object key) {
        int at = key instanceof String text ? find(text) : -1;
        return at < 0 ? null : keysAndValues[2 * at + 1];
    }

    @Override
    public @Nullable Object put(String key, Object value) {
        int at = find(key);
        if (at >= 0) {
            Object before = keysAndValues[2 * at + 1];
            keysAndValues[2 * at + 1] = value;
            return before;
        }
        add(key, value);
        return null;
    }

    /** Adds a member whose key is known not to be there yet. */
    void add(String key, Object value) {
        if (2 * size == keysAndValues.length) {
            keysAndValues = Arrays.copyOf(keysAndValues, Math.max(FEW, 2 * keysAndValues.length));
        }
        keysAndValues[2 * size] = key;
        keysAndValues[2 * size + 1] = value;
        size++;
        if (table != null) {
            table.add(keysAndValues, size - 1);
        } else if (size > FEW) {
            table = KeyTable.of(Arrays.copyOf(keysAndValues, 2 * size));
        }
    }

    /** Finds the number of a key; -1 if the object does not have the key. */
    private int find(String key) {
        return table == null ? findOfFew(key) : table.find(keysAndValues, key);
    }

    private int findOfFew(String key) {
        for (int i = 0; i < size; i++) {
            if (isAt(i, key)) {
                return i;
            }
        }
        return -1;
    }

    private boolean isAt(int number, String key) {
        Object known = keysAndValues[2 * number];
        return known == key || (known.hashCode() == key.hashCode() && known.equals(key));
    }

    @Override
    public void forEach(BiConsumer<? super String, ? super Object> action) {
        for (int i = 0; i < size; i++) {
            action.accept((String) keysAndValues[2 * i], keysAndValues[2 * i + 1]);
        }
    }

    @Override
    public Set<Entry<String, Object>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public int size() {
                return size;
            }

            @Override
            public Iterator<Entry<String, Object>> iterator() {
                return new Entries();
            }
        };
    }

    private final class Entries implements Iterator<Entry<String, Object>> {
        private int at;

        @Override
        public boolean hasNext() {
            return at < size;
        }

        @Override
        public Entry<String, Object> next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            at++;
            return Map.entry((String) keysAndValues[2 * at - 2], keysAndValues[2 * at - 1]);
        }
    }
}
