// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.compact.SmallMap;
import java.util.List;
import java.util.Map;

/** Unmodifiable copies that keep the order. */
final class Copies {
    private Copies() {}

    static <T> List<T> list(List<T> list) {
        return List.copyOf(list);
    }

    static <V> Map<String, V> map(Map<String, V> map) {
        if (map.isEmpty()) {
            return Map.of();
        }
        return SmallMap.frozen(map);
    }
}
