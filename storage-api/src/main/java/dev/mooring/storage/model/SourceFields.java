// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.document.Document;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads and builds the fields of a volume source. */
final class SourceFields {
    private final String type;
    private final Map<String, Object> fields = new LinkedHashMap<>();

    SourceFields(String type) {
        this.type = type;
    }

    SourceFields put(String key, Object value) {
        boolean absent = value.equals("") || value.equals(false) || value.equals(List.of()) || value.equals(Map.of());
        if (!absent) {
            fields.put(key, value);
        }
        return this;
    }

    VolumeSource build() {
        return new VolumeSource(type, Document.of(fields));
    }

    static long number(VolumeSource source, String key) {
        return source.attributes()
                .at(key)
                .filter(Long.class::isInstance)
                .map(Long.class::cast)
                .orElse(0L);
    }

    static List<String> texts(VolumeSource source, String key) {
        Object value = source.attributes().at(key).orElse(List.of());
        return value instanceof List<?> list
                ? list.stream()
                        .filter(String.class::isInstance)
                        .map(String.class::cast)
                        .toList()
                : List.of();
    }

    static Map<String, String> map(VolumeSource source, String key) {
        Map<String, String> texts = new LinkedHashMap<>();
        source.attributes()
                .object(key)
                .ifPresent(object -> object.asMap().forEach((name, value) -> {
                    if (value instanceof String text) {
                        texts.put(name, text);
                    }
                }));
        return Copies.map(texts);
    }
}
