// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.compact;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds keys in an array of a key, its value, the next key. The hash codes stand in the table: a key is looked at only if its hash code is the
 * one that is asked for. Keys that share a hash code on purpose are given to a map that copes with them.
 */
public final class KeyTable {
    /** How many places of the table are looked at before the keys count as made to collide. */
    private static final int FAR = 64;

    /** Each place holds a key: its hash code in the upper half, its number plus one in the lower half. An empty place is 0. */
    private long[] places;

    private int size;
    private @Nullable Map<String, Integer> colliding;

    /**
     * Without keys yet.
     *
     * @param expected how many there will be, more or less
     */
    public KeyTable(int expected) {
        places = new long[Integer.highestOneBit(Math.max(1, expected)) * 4];
    }

    /** That of all keys of an array. */
    public static KeyTable of(Object[] keysAndValues) {
        KeyTable table = new KeyTable(keysAndValues.length / 2);
        for (int i = 0; i < keysAndValues.length / 2; i++) {
            table.add(keysAndValues, i);
        }
        return table;
    }

    /** Finds the number of a key; -1 if the array does not have the key. */
    public int find(Object[] keysAndValues, String key) {
        if (colliding != null) {
            Integer known = colliding.get(key);
            return known == null ? -1 : known;
        }
        int hash = key.hashCode();
        int first = spread(hash);
        for (int step = 0; step <= FAR; step++) { // none was put farther away
            long place = places[(first + step) & (places.length - 1)];
            if (place == 0) {
                return -1;
            } else if ((int) (place >>> Integer.SIZE) == hash && keysAndValues[2 * number(place)].equals(key)) {
                return number(place);
            }
        }
        return -1;
    }

    /** Adds the key of a number, which is not there yet. */
    public void add(Object[] keysAndValues, int number) {
        String key = (String) keysAndValues[2 * number];
        size++;
        if (colliding != null) {
            colliding.put(key, number);
            return;
        }
        if (2 * size > places.length) {
            enlarge(keysAndValues);
        }
        enter((long) key.hashCode() << Integer.SIZE | (number + 1), keysAndValues);
    }

    private static int number(long place) {
        return (int) place - 1;
    }

    private static int spread(int hash) {
        int spread = hash * 0x9E3779B9; // alike texts have neighbouring hash codes
        return spread ^ (spread >>> 16);
    }

    private void enlarge(Object[] keysAndValues) {
        long[] before = places;
        places = new long[4 * before.length];
        for (long place : before) {
            if (place != 0) {
                enter(place, keysAndValues);
            }
        }
    }

    private void enter(long place, Object[] keysAndValues) {
        if (colliding != null) {
            colliding.put((String) keysAndValues[2 * number(place)], number(place));
            return;
        }
        int at = spread((int) (place >>> Integer.SIZE));
        for (int step = 0; step <= FAR; step++) {
            int here = (at + step) & (places.length - 1);
            if (places[here] == 0) {
                places[here] = place;
                return;
            }
        }
        collide(keysAndValues);
        enter(place, keysAndValues);
    }

    private void collide(Object[] keysAndValues) {
        Map<String, Integer> all = new HashMap<>(2 * size);
        for (long place : places) {
            if (place != 0) {
                all.put((String) keysAndValues[2 * number(place)], number(place));
            }
        }
        colliding = all;
    }
}
