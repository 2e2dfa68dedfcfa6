// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.exchange;

import dev.mooring.storage.document.JsonNull;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Values as Go prints them, in which the API server shows strategic merge patches. */
public final class GoText {
    private GoText() {}

    /** A value in one line: {@code map[spec:map[taints:[]]]}. */
    public static String of(Object value) {
        if (value instanceof Map<?, ?> map) {
            return new TreeMap<Object, Object>(map)
                    .entrySet().stream()
                            .map(entry -> entry.getKey() + ":" + of(entry.getValue()))
                            .collect(Collectors.joining(" ", "map[", "]"));
        } else if (value instanceof List<?> list) {
            return list.stream().map(GoText::of).collect(Collectors.joining(" ", "[", "]"));
        }
        return value == JsonNull.NULL ? "<nil>" : value.toString();
    }
}
