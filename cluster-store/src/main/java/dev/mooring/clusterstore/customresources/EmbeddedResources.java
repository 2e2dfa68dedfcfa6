// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.customresources;

import dev.mooring.clusterstore.validation.Problems;
import java.util.List;
import java.util.Map;

/** Whole objects within objects ({@code x-kubernetes-embedded-resource}): they say of which kind they are. Pure. */
final class EmbeddedResources {
    private EmbeddedResources() {}

    static void judge(JsonSchema schema, Object value, String path, Problems problems) {
        if (value instanceof Map<?, ?> map) {
            if (schema.isEmbedded()) {
                require(map, path, problems);
            }
            map.forEach((key, each) -> {
                JsonSchema property = schema.properties().get(key);
                String below = SchemaValidation.child(path, (String) key);
                if (property != null) {
                    judge(property, each, below, problems);
                } else {
                    schema.additionalProperties()
                            .ifPresent(other -> judge(other, each, path + "[" + key + "]", problems));
                }
            });
        } else if (value instanceof List<?> list && schema.items().isPresent()) {
            for (int i = 0; i < list.size(); i++) {
                judge(schema.items().get(), list.get(i), path + "[" + i + "]", problems);
            }
        }
    }

    private static void require(Map<?, ?> map, String path, Problems problems) {
        for (String field : List.of("apiVersion", "kind")) {
            Object given = map.get(field);
            if (given == null) {
                problems.required(path + "." + field, "must not be empty");
            } else if (!(given instanceof String text)) {
                problems.invalid(path + "." + field, given, "must be a string");
            } else if (text.isEmpty()) {
                problems.invalid(path + "." + field, "", "must not be empty");
            }
        }
    }
}
