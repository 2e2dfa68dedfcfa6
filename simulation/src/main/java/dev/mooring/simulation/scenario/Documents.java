// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.storage.document.Document;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Looking into documents. */
final class Documents {
    private static final List<String> FIRST = List.of("apiVersion", "kind", "metadata");

    private Documents() {}

    /** The text at a path; empty if there is none. */
    static String text(Document document, String... path) {
        return document.text(path).orElse("");
    }

    /** The maps of the list at a path. */
    static List<Document> maps(Document document, String... path) {
        List<Document> maps = new ArrayList<>();
        if (document.at(path).orElse(List.of()) instanceof List<?> list) {
            for (Object element : list) {
                if (element instanceof Map<?, ?> map) {
                    maps.add(Document.of(textKeys(map)));
                }
            }
        }
        return maps;
    }

    /** Kind, namespace and name, for people. */
    static String title(Document document) {
        String namespace = text(document, "metadata", "namespace");
        String name = text(document, "metadata", "name");
        return text(document, "kind") + " " + (namespace.isEmpty() ? name : namespace + "/" + name);
    }

    /** The same document in one fixed order of keys: apiVersion, kind, metadata, then by name; at every depth. */
    static Map<String, Object> ordered(Document document) {
        Map<String, Object> ordered = new LinkedHashMap<>();
        Map<String, Object> sorted = sorted(document.asMap());
        for (String key : FIRST) {
            Optional.ofNullable(sorted.remove(key)).ifPresent(value -> ordered.put(key, value));
        }
        ordered.putAll(sorted);
        return ordered;
    }

    private static Map<String, Object> sorted(Map<?, ?> map) {
        Map<String, Object> sorted = new TreeMap<>();
        map.forEach((key, value) -> sorted.put((String) key, orderedValue(value)));
        return sorted;
    }

    private static Object orderedValue(Object value) {
        if (value instanceof Map<?, ?> map) {
            return sorted(map);
        }
        return value instanceof List<?> list
                ? list.stream().map(Documents::orderedValue).toList()
                : value;
    }

    private static Map<String, Object> textKeys(Map<?, ?> map) {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> copy.put((String) key, value));
        return copy;
    }
}
