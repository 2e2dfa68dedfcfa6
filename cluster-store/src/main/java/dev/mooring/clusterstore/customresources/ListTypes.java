// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.customresources;

import dev.mooring.clusterstore.validation.Problems;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Elements that stand twice in lists that are sets, or maps by keys ({@code x-kubernetes-list-type}). Pure. */
final class ListTypes {
    private ListTypes() {}

    static void judge(JsonSchema schema, Object value, String path, Problems problems) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, each) -> {
                JsonSchema property = schema.properties().get(key);
                String below = SchemaValidation.child(path, (String) key);
                if (property != null) {
                    judge(property, each, below, problems);
                } else {
                    // Names that the schema does not have stand in brackets.
                    schema.additionalProperties()
                            .ifPresent(other -> judge(other, each, path + "[" + key + "]", problems));
                }
            });
        } else if (value instanceof List<?> list) {
            duplicates(schema, list, path, problems);
            schema.items().ifPresent(items -> {
                for (int i = 0; i < list.size(); i++) {
                    judge(items, list.get(i), path + "[" + i + "]", problems);
                }
            });
        }
    }

    private static void duplicates(JsonSchema schema, List<?> list, String path, Problems problems) {
        String type = schema.listType();
        if (!type.equals("set") && !type.equals("map")) {
            return;
        }
        Set<Object> seen = new HashSet<>();
        for (int i = 0; i < list.size(); i++) {
            if (type.equals("map") && !(list.get(i) instanceof Map)) {
                problems.invalid(path + "[" + i + "]", list.get(i), "must be an object for an array of list-type map");
                continue;
            }
            Object identity = type.equals("set") ? list.get(i) : keys(schema, list.get(i));
            if (!seen.add(identity)) {
                problems.duplicate(path + "[" + i + "]", identity);
            }
        }
    }

    private static Object keys(JsonSchema schema, Object element) {
        Map<String, Object> keys = new LinkedHashMap<>();
        if (element instanceof Map<?, ?> map) {
            schema.listMapKeys().forEach(key -> {
                Object value = map.get(key);
                if (value != null) {
                    keys.put(key, value);
                }
            });
        }
        return keys;
    }
}
