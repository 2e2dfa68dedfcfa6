// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.compact;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The same for more keys. Most maps of many keys are read from the first to the last and never asked for one: so the table of places is
 * made when the first key is asked for.
 *
 * @param <V> the values
 */
final class LargeMap<V> extends SmallMap<V> {
    private volatile @Nullable Map<String, Integer> places;

    /** Takes over the array. */
    LargeMap(Object[] keysAndValues) {
        super(keysAndValues);
    }

    @Override
    int find(@Nullable Object key) {
        Map<String, Integer> known = places;
        if (known == null) {
            known = new HashMap<>(2 * size());
            for (int i = 0; i < keysAndValues.length; i += 2) {
                known.put((String) keysAndValues[i], i);
            }
            places = known;
        }
        return key instanceof String ? Objects.requireNonNullElse(known.get(key), -1) : -1;
    }

    @Override
    LargeMap<V> like(Object[] sameKeys) {
        LargeMap<V> map = new LargeMap<>(sameKeys);
        map.places = places;
        return map;
    }
}
