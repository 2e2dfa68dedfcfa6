// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.document.Document;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Unmodifiable copies that keep the order. */
final class Copies {
    private Copies() {}

    static <T> List<T> list(List<T> list) {
        return List.copyOf(list);
    }

    static <K, V> Map<K, V> map(Map<K, V> map) {
        if (Document.isPart(map)) {
            return map;
        }
        return map.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }
}
