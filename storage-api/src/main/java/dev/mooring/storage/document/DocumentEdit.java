// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.document;

import dev.mooring.storage.compact.SmallMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * The difference of two versions of one object, to be applied to a third: the one place that knows what a write changes.
 *
 * <p>Lists that several parties edit are edited element by element: {@code metadata.finalizers} and {@code status.volumesInUse} by
 * value, {@code metadata.ownerReferences} by uid, {@code status.conditions} by type, {@code status.volumesAttached} by name. Every other
 * list that differs is replaced. Fields that neither version knows are left alone. Immutable.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DocumentEdit {
    private static final Map<String, Function<Object, Object>> ELEMENT_KEYS = Map.of(
            "metadata.finalizers", value -> value,
            "metadata.ownerReferences", value -> field(value, "uid"),
            "status.conditions", value -> field(value, "type"),
            "status.volumesAttached", value -> field(value, "name"),
            "status.volumesInUse", value -> value);

    private static final Set<String> SHARED_MAPS = Set.of("metadata.annotations", "metadata.labels");

    private final Document before;
    private final Document after;

    private DocumentEdit(Document before, Document after) {
        this.before = before;
        this.after = after;
    }

    /** The difference that makes the second version of the first. */
    public static DocumentEdit between(Document before, Document after) {
        return new DocumentEdit(before, after);
    }

    /** Whether there is no difference. */
    public boolean isEmpty() {
        return before.equals(after);
    }

    /** The current document with the difference made. */
    public Document applyTo(Document current) {
        return MergePatch.apply(current, asMergePatch(current));
    }

    /** The merge patch that makes the difference to the current document; holds nothing else. */
    public Document asMergePatch(Document current) {
        return Document.wrap(patch(before.asMap(), after.asMap(), current.asMap(), ""));
    }

    private static Map<String, Object> patch(Map<?, ?> before, Map<?, ?> after, Map<?, ?> current, String path) {
        Map<String, Object> patch = new LinkedHashMap<>();
        after.forEach((key, value) -> {
            Object old = before.get(key);
            if (!value.equals(old)) {
                String at = path.isEmpty() ? (String) key : path + "." + key;
                put(patch, (String) key, changed(old, value, current.get(key), at), current.get(key));
            }
        });
        before.forEach((key, value) -> {
            if (!after.containsKey(key) && current.containsKey(key)) {
                String at = path.isEmpty() ? (String) key : path + "." + key;
                put(patch, (String) key, removed(value, current.get(key), at), current.get(key));
            }
        });
        return SmallMap.frozen(patch);
    }

    private static void put(
            Map<String, Object> patch, String key, Object change, @org.jspecify.annotations.Nullable Object current) {
        boolean emptyObject = change instanceof Map<?, ?> map && map.isEmpty() && current instanceof Map<?, ?>;
        if (!emptyObject && !change.equals(current)) {
            patch.put(key, change);
        }
    }

    private static Object changed(
            @org.jspecify.annotations.Nullable Object old,
            Object value,
            @org.jspecify.annotations.Nullable Object current,
            String path) {
        if (value instanceof Map<?, ?> map) {
            return patch(
                    old instanceof Map<?, ?> oldMap ? oldMap : Map.of(),
                    map,
                    current instanceof Map<?, ?> currentMap ? currentMap : Map.of(),
                    path);
        }
        Function<Object, Object> elementKey = ELEMENT_KEYS.get(path);
        if (elementKey != null && value instanceof List<?> list) {
            return elements(listOf(old), list, listOf(current), elementKey);
        }
        return value;
    }

    /** A removed object goes as a whole, with its unknown fields. From a shared list only known elements are removed. */
    private static Object removed(Object old, Object current, String path) {
        if (SHARED_MAPS.contains(path) && old instanceof Map<?, ?> a && current instanceof Map<?, ?> c) {
            boolean everyKeyIsOurs = a.keySet().containsAll(c.keySet());
            return everyKeyIsOurs ? JsonNull.NULL : patch(a, Map.of(), c, path);
        }
        Function<Object, Object> elementKey = ELEMENT_KEYS.get(path);
        if (elementKey != null && old instanceof List<?>) {
            List<Object> left = elements(listOf(old), List.of(), listOf(current), elementKey);
            return left.isEmpty() ? JsonNull.NULL : left;
        }
        return JsonNull.NULL;
    }

    private static List<Object> elements(
            List<?> before, List<?> after, List<?> current, Function<Object, Object> elementKey) {
        Map<Object, Object> oldByKey = byKey(before, elementKey);
        Map<Object, Object> newByKey = byKey(after, elementKey);
        List<Object> result = new ArrayList<>();
        for (Object element : current) {
            Object key = elementKey.apply(element);
            Object old = oldByKey.get(key);
            Object now = newByKey.get(key);
            if (old == null || (now != null && now.equals(old))) {
                result.add(element); // not ours, or not edited
            } else if (now != null) {
                result.add(
                        old instanceof Map<?, ?> a && now instanceof Map<?, ?> b && element instanceof Map<?, ?> c
                                ? MergePatch.apply(Document.of(textKeys(c)), Document.wrap(patch(a, b, c, "")))
                                        .asMap()
                                : now);
            }
        }
        Map<Object, Object> present = byKey(current, elementKey);
        newByKey.forEach((key, element) -> {
            if (!present.containsKey(key) && !element.equals(oldByKey.get(key))) {
                result.add(element);
            }
        });
        return Collections.unmodifiableList(result);
    }

    private static Map<Object, Object> byKey(List<?> elements, Function<Object, Object> elementKey) {
        Map<Object, Object> byKey = new LinkedHashMap<>();
        elements.forEach(element -> byKey.put(elementKey.apply(element), element));
        return byKey;
    }

    private static Object field(Object element, String name) {
        Object value = element instanceof Map<?, ?> map ? map.get(name) : null;
        return value == null ? element : value;
    }

    private static List<?> listOf(@org.jspecify.annotations.Nullable Object value) {
        return value instanceof List<?> list ? list : List.of();
    }

    private static Map<String, Object> textKeys(Map<?, ?> map) {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> copy.put((String) key, value));
        return copy;
    }
}
