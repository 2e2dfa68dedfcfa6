// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.compact;

import org.jspecify.annotations.Nullable;

/**
 * The same for more keys. Most maps of many keys are read from the first to the last and never asked for one: so the table of places is
 * made when the first key is asked for.
 *
 * @param <V> the values
 */
final class LargeMap<V> extends SmallMap<V> {
    private volatile @Nullable KeyTable places;

    /** Takes over the array. */
    LargeMap(Object[] keysAndValues) {
        super(keysAndValues);
    }

    @Override
    int find(@Nullable Object key) {
        KeyTable known = places;
        if (known == null) {
            known = KeyTable.of(keysAndValues);
            places = known;
        }
        int number = key instanceof String text ? known.find(keysAndValues, text) : -1;
        return number < 0 ? -1 : 2 * number;
    }

    @Override
    LargeMap<V> like(Object[] sameKeys) {
        LargeMap<V> map = new LargeMap<>(sameKeys);
        map.places = places;
        return map;
    }
}
