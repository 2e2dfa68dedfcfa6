// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.document;

import dev.mooring.storage.compact.FrozenList;
import dev.mooring.storage.compact.SmallMap;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object, immutable at every depth, with its keys in the order in which they were given.
 *
 * <p>Values are {@link String}, {@link Boolean}, {@link Long}, {@link BigDecimal} (for what is no 64-bit integer), {@link JsonNull},
 * {@code List<Object>} and {@code Map<String, Object>}. Two documents are equal if they have equal keys and values, whatever the
 * order of the keys.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Document {
    private static final Document EMPTY = new Document(Map.of());
    private static final int MAX_DEPTH = 200;

    private final Map<String, Object> fields;

    private Document(Map<String, Object> fields) {
        this.fields = fields;
    }

    /** The object without keys. */
    public static Document empty() {
        return EMPTY;
    }

    /**
     * Makes a document of a map: a copy, or the map itself if it is part of another document.
     *
     * @param fields keys and JSON values; integers of every width and maps and lists of them are accepted
     * @throws IllegalArgumentException if a value is not a JSON value, or the nesting is deeper than 200
     */
    public static Document of(Map<String, ?> fields) {
        return fields.isEmpty() ? EMPTY : new Document(copyMap(fields, 0));
    }

    /** Wraps a map that is known to be normalised and never changed again. */
    static Document wrap(Map<String, Object> fields) {
        return new Document(fields);
    }

    /** The keys and values; unmodifiable at every depth. */
    public Map<String, Object> asMap() {
        return fields;
    }

    /** Whether there are no keys. */
    public boolean isEmpty() {
        return fields.isEmpty();
    }

    /** The value at a path of keys; empty if the path leads to no value. */
    public Optional<Object> at(String... path) {
        Object current = fields;
        for (String key : path) {
            if (!(current instanceof Map<?, ?> map) || !map.containsKey(key)) {
                return Optional.empty();
            }
            current = Objects.requireNonNull(map.get(key));
        }
        return Optional.of(current);
    }

    /** The text at a path; empty if there is no value or it is not a text. */
    public Optional<String> text(String... path) {
        return at(path).filter(String.class::isInstance).map(String.class::cast);
    }

    /** The object at a path; empty if there is no value or it is not an object. */
    @SuppressWarnings("unchecked") // maps in a document have text keys
    public Optional<Document> object(String... path) {
        return at(path).filter(Map.class::isInstance).map(map -> wrap((Map<String, Object>) map));
    }

    /** The objects of the list at a path, an element that is none as an empty one; empty if there is no list. */
    @SuppressWarnings("unchecked") // maps in a document have text keys
    public List<Document> objects(String... path) {
        if (!(at(path).orElse("") instanceof List<?> list) || list.isEmpty()) {
            return List.of();
        }
        List<Document> objects = new ArrayList<>(list.size());
        for (Object element : list) {
            objects.add(element instanceof Map<?, ?> map ? wrap((Map<String, Object>) map) : EMPTY);
        }
        return Collections.unmodifiableList(objects);
    }

    /**
     * The same document with another value at a path; objects on the way are made.
     *
     * @throws IllegalArgumentException if the path is empty, or the value is not a JSON value
     */
    public Document with(Object value, String... path) {
        if (path.length == 0) {
            throw new IllegalArgumentException("a path has at least one key");
        }
        Map<String, Object> changed = set(fields, normalise(value, 0), path);
        return isSame(changed, fields) ? this : wrap(changed);
    }

    /** The same document without the value at a path. */
    public Document without(String... path) {
        if (path.length == 0 || at(path).isEmpty()) {
            return this;
        }
        return wrap(unset(fields, path));
    }

    /** The same document without any null, at every depth of objects. */
    public Document withoutNulls() {
        Map<String, Object> kept = dropNulls(fields);
        return isSame(kept, fields) ? this : wrap(kept);
    }

    /** The document with the selected fields only; the same one if it has no others. */
    public Document keep(FieldSelection selection) {
        Map<String, Object> kept = kept(fields, selection);
        return kept == fields ? this : wrap(kept);
    }

    @SuppressWarnings("unchecked") // maps in a document have text keys
    private static Object keptValue(Object value, FieldSelection selection) {
        if (value instanceof Map<?, ?> child) {
            return kept((Map<String, Object>) child, selection);
        } else if (value instanceof List<?> list) {
            Object[] copy = new Object[list.size()];
            boolean same = true;
            for (int i = 0; i < copy.length; i++) {
                copy[i] = keptValue(list.get(i), selection);
                same &= copy[i] == list.get(i);
            }
            return same ? value : new FrozenList(copy);
        }
        return value;
    }

    private static Map<String, Object> kept(Map<String, Object> map, FieldSelection selection) {
        if (selection.isAll()) {
            return map;
        }
        Map<String, Object> copy = new LinkedHashMap<>();
        boolean same = true;
        for (Map.Entry<String, Object> entry : map.entrySet()) {
            FieldSelection below = selection.at(entry.getKey());
            Object part = below.isNone() ? null : keptValue(entry.getValue(), below);
            if (part != null) {
                copy.put(entry.getKey(), part);
            }
            same &= part == entry.getValue();
        }
        return same ? map : SmallMap.frozen(copy);
    }

    private static Map<String, Object> set(Map<String, Object> map, Object value, String[] path) {
        Object before = map.get(path[0]);
        Object after = path.length == 1 ? value : set(child(map, path[0]), value, rest(path));
        if (isAsBefore(before, after)) {
            return map;
        }
        return SmallMap.frozen(map).with(path[0], after);
    }

    /** Whether one can stand for the other; what would have to be compared at every depth counts as another. */
    private static boolean isAsBefore(@Nullable Object before, Object after) {
        return isSame(before, after) || (!(after instanceof Map) && !(after instanceof List) && after.equals(before));
    }

    private static boolean isSame(@Nullable Object one, Object other) {
        return one == other;
    }

    private static Map<String, Object> unset(Map<String, Object> map, String[] path) {
        Map<String, Object> copy = new LinkedHashMap<>(map);
        if (path.length == 1) {
            copy.remove(path[0]);
        } else {
            copy.put(path[0], unset(child(map, path[0]), rest(path)));
        }
        return SmallMap.frozen(copy);
    }

    @SuppressWarnings("unchecked") // maps in a document have text keys
    private static Map<String, Object> child(Map<String, Object> map, String key) {
        return map.get(key) instanceof Map<?, ?> child ? (Map<String, Object>) child : Map.of();
    }

    private static String[] rest(String[] path) {
        return Arrays.copyOfRange(path, 1, path.length);
    }

    /** The same map if it holds no null. */
    @SuppressWarnings("unchecked") // maps in a document have text keys
    private static Map<String, Object> dropNulls(Map<String, Object> map) {
        Map<String, Object> copy = map;
        for (Map.Entry<String, Object> entry : map.entrySet()) {
            Object value = entry.getValue();
            Object kept = value instanceof Map<?, ?> child ? dropNulls((Map<String, Object>) child) : value;
            if (isSame(kept, value) && value != JsonNull.NULL) {
                continue;
            }
            copy = isSame(copy, map) ? new LinkedHashMap<>(map) : copy;
            if (value == JsonNull.NULL) {
                copy.remove(entry.getKey());
            } else {
                copy.put(entry.getKey(), kept);
            }
        }
        return isSame(copy, map) ? map : SmallMap.frozen(copy);
    }

    /**
     * Whether a value is, at every depth, as a document has it.
     *
     * @throws IllegalArgumentException if it is too deep for where it is to stand
     */
    private static boolean isNormalised(Object value, int depth) {
        if (value instanceof SmallMap<?> map) {
            requireShallow(depth);
            return map.allMatch(each -> isNormalised(each, depth + 1));
        } else if (value instanceof FrozenList list) {
            requireShallow(depth);
            return list.allMatch(each -> isNormalised(each, depth + 1));
        }
        return value instanceof String
                || value instanceof Long
                || value instanceof Boolean
                || value instanceof JsonNull
                || value instanceof BigDecimal;
    }

    private static void requireShallow(int depth) {
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException("a document is nested at most " + MAX_DEPTH + " deep");
        }
    }

    @SuppressWarnings("unchecked") // what is normalised has text keys
    private static Map<String, Object> copyMap(Map<?, ?> map, int depth) {
        if (map instanceof SmallMap && isNormalised(map, depth)) {
            return (Map<String, Object>) map;
        }
        requireShallow(depth);
        if (map.isEmpty()) {
            return SmallMap.empty();
        }
        Copy copy = new Copy(map.size(), depth + 1);
        map.forEach(copy);
        return SmallMap.of(copy.both);
    }

    /** The members of a map, taken one after the other: an object of very many makes no entry for each. */
    private static final class Copy implements BiConsumer<Object, Object> {
        private final Object[] both;
        private final int depth;
        private int at;

        Copy(int size, int depth) {
            both = new Object[2 * size];
            this.depth = depth;
        }

        @Override
        public void accept(@Nullable Object key, @Nullable Object value) {
            both[at++] = text(key);
            both[at++] = normalise(value, depth);
        }
    }

    private static String text(@Nullable Object key) {
        if (key instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("a key is a text, not " + key);
    }

    @SuppressWarnings("unchecked") // a list in a document is a list of objects
    private static List<Object> copyList(List<?> list, int depth) {
        if (list instanceof FrozenList && isNormalised(list, depth)) {
            return (List<Object>) list;
        }
        requireShallow(depth);
        Object[] copy = new Object[list.size()];
        int at = 0;
        for (Object value : list) {
            copy[at++] = normalise(value, depth + 1);
        }
        return new FrozenList(copy);
    }

    private static Object normalise(@Nullable Object value, int depth) {
        if (value instanceof String || value instanceof Boolean || value instanceof Long || value instanceof JsonNull) {
            return value;
        } else if (value instanceof Document document) {
            return document.fields;
        } else if (value instanceof Map<?, ?> map) {
            return copyMap(map, depth);
        } else if (value instanceof List<?> list) {
            return copyList(list, depth);
        } else if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).longValue();
        } else if (value instanceof BigInteger big) {
            return big.bitLength() < Long.SIZE ? (Object) big.longValue() : new BigDecimal(big);
        } else if (value instanceof BigDecimal || value instanceof Double || value instanceof Float) {
            return number(value);
        }
        throw new IllegalArgumentException("no JSON value: " + value);
    }

    private static Object number(Object value) {
        BigDecimal decimal = value instanceof BigDecimal exact ? exact : new BigDecimal(value.toString());
        boolean small = decimal.precision() - decimal.scale() < 20 && decimal.scale() > -20;
        if (small && decimal.stripTrailingZeros().scale() <= 0) {
            BigInteger integer = decimal.toBigIntegerExact();
            if (integer.bitLength() < Long.SIZE) {
                return integer.longValue();
            }
        }
        return decimal;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Document that && fields.equals(that.fields);
    }

    @Override
    public int hashCode() {
        return fields.hashCode();
    }

    /** Compact JSON, for logs and messages; keys in their order. */
    @Override
    public String toString() {
        return JsonText.of(fields);
    }
}
