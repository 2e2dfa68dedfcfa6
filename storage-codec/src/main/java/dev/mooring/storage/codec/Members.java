// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.codec;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The members of an object while it is read, in the order in which they stand. Few are looked for one after the other, more by a table of
 * places. Keys that share a hash code on purpose are given to a map that copes with them.
 */
final class Members extends AbstractMap<String, Object> {
    private static final int FEW = 16;

    /** How many places of the table are looked at before the keys count as made to collide. */
    private static final int FAR = 64;

    private static final Object[] NONE = {};

    private Object[] keysAndValues = NONE; // a body may be a list of very many empty objects
    private int size;

    /** One more than the number of the key at each place, or 0; not made for a few keys. */
    private int @Nullable [] table;

    private @Nullable Map<String, Integer> colliding;

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
        if (2 * size == keysAndValues.length) {
            keysAndValues = Arrays.copyOf(keysAndValues, Math.max(FEW, 2 * keysAndValues.length));
        }
        keysAndValues[2 * size] = key;
        keysAndValues[2 * size + 1] = value;
        size++;
        noted(key);
        return null;
    }

    /** The number of a key; -1 if there is none. */
    private int find(String key) {
        if (colliding != null) {
            Integer known = colliding.get(key);
            return known == null ? -1 : known;
        }
        int[] places = table;
        if (places == null) {
            return findOfFew(key);
        }
        int first = place(key, places);
        for (int step = 0; step <= FAR; step++) { // none was put farther away
            int number = places[(first + step) & (places.length - 1)];
            if (number == 0) {
                return -1;
            } else if (isAt(number - 1, key)) {
                return number - 1;
            }
        }
        return -1;
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

    private static int place(String key, int[] places) {
        int hash = key.hashCode() * 0x9E3779B9; // alike texts have neighbouring hash codes
        return (hash ^ (hash >>> 16)) & (places.length - 1);
    }

    /** Puts the last key into the table, a larger one if it is half full. */
    private void noted(String key) {
        if (colliding != null) {
            colliding.put(key, size - 1);
        } else if (table != null && 2 * size <= table.length) {
            enter(size - 1, table);
        } else if (size > FEW) {
            int[] larger = new int[Integer.highestOneBit(size) * 8];
            table = larger;
            for (int i = 0; i < size && colliding == null; i++) {
                enter(i, larger);
            }
        }
    }

    private void enter(int number, int[] places) {
        int at = place((String) keysAndValues[2 * number], places);
        int steps = 0;
        while (places[at] > 0) {
            at = (at + 1) & (places.length - 1);
            steps++;
            if (steps > FAR) {
                collide();
                return;
            }
        }
        places[at] = number + 1;
    }

    private void collide() {
        Map<String, Integer> all = new HashMap<>(2 * size);
        for (int i = 0; i < size; i++) {
            all.put((String) keysAndValues[2 * i], i);
        }
        colliding = all;
        table = null;
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
