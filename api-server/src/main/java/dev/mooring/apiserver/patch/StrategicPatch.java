// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.patch;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Kubernetes' strategic merge patch: a merge patch that merges known lists by a key, with the directives {@code $patch}, {@code
 * $retainKeys}, {@code $deleteFromPrimitiveList} and {@code $setElementOrder}.
 */
public final class StrategicPatch {
    private static final String PATCH = "$patch";
    private static final String RETAIN = "$retainKeys";
    private static final String DELETE_FROM = "$deleteFromPrimitiveList";
    private static final String ORDER = "$setElementOrder";

    private static final Set<Object> DIRECTIVES = Set.of("replace", "delete", "merge");

    private StrategicPatch() {}

    /**
     * Applies a patch.
     *
     * @throws PatchException if a directive is malformed or does not fit
     */
    public static Document apply(Document target, Document patch) {
        return Document.of(merge(target.asMap(), patch.asMap(), ""));
    }

    private static Map<String, Object> merge(Map<?, ?> target, Map<?, ?> patch, String name) {
        Object directive = patch.get(PATCH);
        if ("replace".equals(directive)) {
            return plain(patch, name);
        }
        if ("delete".equals(directive)) {
            return new LinkedHashMap<>();
        }
        if (directive != null && !"merge".equals(directive)) {
            throw unknown(directive);
        }
        Map<String, Object> merged = new LinkedHashMap<>();
        target.forEach((key, value) -> merged.put((String) key, value));
        if (patch.containsKey(RETAIN)) {
            Set<?> retained = retained(patch);
            merged.keySet().retainAll(retained);
        }
        patch.forEach((key, value) -> {
            String field = (String) key;
            if (field.startsWith(DELETE_FROM)) {
                removeValues(merged, listOf(field, DELETE_FROM, value), (List<?>) value);
            } else if (!field.startsWith("$")) {
                put(merged, field, value, name);
            }
        });
        patch.forEach((key, value) -> {
            String field = (String) key;
            if (field.startsWith(ORDER)) {
                String list = listOf(field, ORDER, value);
                Object before = target.get(list);
                reorder(merged, list, (List<?>) value, name, before instanceof List<?> old ? old : List.of());
            }
        });
        return merged;
    }

    /** The fields that stay; a patch that sets others contradicts itself. */
    private static Set<?> retained(Map<?, ?> patch) {
        if (!(patch.get(RETAIN) instanceof List<?> list) || !list.stream().allMatch(String.class::isInstance)) {
            throw PatchException.malformed("invalid patch format of retainKeys: it is a list of texts");
        }
        Set<?> retained = new HashSet<>(list);
        patch.forEach((key, value) -> {
            if (value != JsonNull.NULL && !((String) key).startsWith("$") && !retained.contains(key)) {
                throw PatchException.malformed("invalid patch format of retainKeys: " + key + " is not among them");
            }
        });
        return retained;
    }

    /** The list that a directive with a list's name, such as {@code $setElementOrder/volumes}, is about. */
    private static String listOf(String field, String directive, Object value) {
        String rest = field.substring(directive.length());
        if (rest.length() < 2 || rest.charAt(0) != '/') {
            throw PatchException.malformed("invalid patch format of " + directive.substring(1) + ": " + field
                    + " does not name a list as in " + directive + "/volumes");
        }
        if (!(value instanceof List<?>)) {
            throw PatchException.malformed(
                    "invalid patch format of " + directive.substring(1) + ": the value of " + field + " is a list");
        }
        return rest.substring(1);
    }

    private static void put(Map<String, Object> merged, String field, Object value, String name) {
        Object before = merged.get(field);
        if (value == JsonNull.NULL) {
            merged.remove(field);
        } else if (value instanceof Map<?, ?> child) {
            merged.put(field, merge(before instanceof Map<?, ?> map ? map : Map.of(), child, field));
        } else if (value instanceof List<?> list) {
            List<?> old = before instanceof List<?> elements ? elements : List.of();
            merged.put(field, mergeList(old, list, name, field));
            boolean merges = MergeKeys.of(name, field).isPresent() || MergeKeys.isSet(name, field);
            if (merges && !replaces(list)) {
                reorder(merged, field, list, name, old); // as if they were named in $setElementOrder
            }
        } else {
            merged.put(field, value);
        }
    }

    private static List<Object> mergeList(List<?> before, List<?> patch, String parent, String field) {
        Optional<String> key = MergeKeys.of(parent, field);
        if (key.isPresent()) {
            return mergeByKey(before, patch, key.get(), field);
        }
        if (MergeKeys.isSet(parent, field)) {
            Set<Object> all = new LinkedHashSet<>(before);
            all.addAll(patch);
            return new ArrayList<>(all);
        }
        return new ArrayList<>(patch);
    }

    private static List<Object> mergeByKey(List<?> before, List<?> patch, String key, String field) {
        List<Map<?, ?>> elements = elements(patch, key, field);
        if (replaces(patch)) {
            // As they are: also two with the same key, which the rules of the object refuse.
            return elements.stream()
                    .filter(each -> !each.containsKey(PATCH))
                    .<Object>map(each -> plain(each, field))
                    .toList();
        }
        Map<Object, Object> result = byKey(before, key);
        for (Map<?, ?> element : elements) {
            Object id = element.get(key);
            if ("delete".equals(element.get(PATCH))) {
                result.remove(id);
            } else if (result.get(id) instanceof Map<?, ?> old) {
                result.put(id, merge(old, element, field));
            } else {
                result.put(id, plain(element, field));
            }
        }
        return new ArrayList<>(result.values());
    }

    /** Whether one of the elements says that the others are the whole list. */
    private static boolean replaces(List<?> patch) {
        return patch.stream().anyMatch(each -> each instanceof Map<?, ?> map && "replace".equals(map.get(PATCH)));
    }

    /** The elements of a list that is merged by a key: all but the one that says that they replace it have that key. */
    private static List<Map<?, ?>> elements(List<?> patch, String key, String field) {
        List<Map<?, ?>> elements = new ArrayList<>();
        for (Object each : patch) {
            if (!(each instanceof Map<?, ?> element)) {
                throw PatchException.malformed("an element of " + field + " is an object");
            }
            Object directive = element.get(PATCH);
            if (directive != null && !DIRECTIVES.contains(directive)) {
                throw unknown(directive);
            }
            if (!element.containsKey(key) && !"replace".equals(directive)) {
                throw PatchException.malformed("map: " + element + " does not contain declared merge key: " + key);
            }
            elements.add(element);
        }
        return elements;
    }

    private static PatchException unknown(Object directive) {
        return PatchException.malformed("Unknown patch type found: " + directive);
    }

    /**
     * So that no list is searched for each element of another; elements without a key, or with a key that was there before, keep their
     * place.
     */
    private static Map<Object, Object> byKey(List<?> elements, String key) {
        Map<Object, Object> all = new LinkedHashMap<>();
        for (Object each : elements) {
            Object id = each instanceof Map<?, ?> map && map.get(key) != null ? map.get(key) : new Object();
            all.put(all.containsKey(id) ? new Object() : id, each);
        }
        return all;
    }

    /** What a patch makes of nothing: itself without directives. */
    private static Map<String, Object> plain(Map<?, ?> patch, String name) {
        Map<Object, Object> without = new LinkedHashMap<>(patch);
        without.remove(PATCH);
        return merge(Map.of(), without, name);
    }

    private static void removeValues(Map<String, Object> merged, String field, List<?> gone) {
        if (merged.get(field) instanceof List<?> list) {
            List<Object> left = new ArrayList<>(list);
            left.removeAll(gone);
            merged.put(field, left);
        }
    }

    /**
     * Elements named in the order come in that order. Each of the others comes before the first of them that it stood before, in its own
     * order, and else at the end.
     */
    private static void reorder(
            Map<String, Object> merged, String field, List<?> wanted, String parent, List<?> before) {
        if (!(merged.get(field) instanceof List<?> list)) {
            return;
        }
        @Nullable String key = MergeKeys.of(parent, field).orElse(null);
        Map<Object, Integer> places = places(wanted, key);
        Map<Object, Integer> placesBefore = places(before, key);
        List<Object> named = new ArrayList<>();
        Deque<Object> others = new ArrayDeque<>();
        list.forEach(each -> (places.containsKey(id(each, key)) ? named : others).add(each));
        named.sort(Comparator.comparingInt(each -> places.getOrDefault(id(each, key), 0)));
        List<Object> sorted = new ArrayList<>();
        for (Object each : named) {
            Integer place = placesBefore.get(id(each, key));
            while (place != null && !others.isEmpty() && isBefore(placesBefore.get(id(others.element(), key)), place)) {
                sorted.add(others.remove());
            }
            sorted.add(each);
        }
        sorted.addAll(others);
        merged.put(field, sorted);
    }

    private static boolean isBefore(@Nullable Integer one, int other) {
        return one != null && one < other;
    }

    private static Map<Object, Integer> places(List<?> elements, @Nullable String key) {
        Map<Object, Integer> places = new HashMap<>();
        for (Object each : elements) {
            places.putIfAbsent(id(each, key), places.size());
        }
        return places;
    }

    private static Object id(Object element, @Nullable String key) {
        Object id = key != null && element instanceof Map<?, ?> map ? map.get(key) : element;
        return id == null ? element : id;
    }
}
