// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.document;

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
import org.apiguardian.api.API;

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
     * Copies a map.
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

    /**
     * The same document with another value at a path; objects on the way are made.
     *
     * @throws IllegalArgumentException if the path is empty, or the value is not a JSON value
     */
    public Document with(Object value, String... path) {
        if (path.length == 0) {
            throw new IllegalArgumentException("a path has at least one key");
        }
        return wrap(set(fields, normalise(value, 0), path));
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
        return wrap(dropNulls(fields));
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
            List<Object> copy = new ArrayList<>(list.size());
            boolean same = true;
            for (Object each : list) {
                Object part = keptValue(each, selection);
                copy.add(part);
                same &= part == each;
            }
            return same ? value : Collections.unmodifiableList(copy);
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
        Map<String, Object> copy = new LinkedHashMap<>(map);
        if (path.length == 1) {
            copy.put(path[0], value);
        } else {
            copy.put(path[0], set(child(map, path[0]), value, rest(path)));
        }
        return SmallMap.frozen(copy);
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

    @SuppressWarnings("unchecked") // maps in a document have text keys
    private static Map<String, Object> dropNulls(Map<String, Object> map) {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> {
            if (value instanceof Map<?, ?> child) {
                copy.put(key, dropNulls((Map<String, Object>) child));
            } else if (value != JsonNull.NULL) {
                copy.put(key, value);
            }
        });
        return SmallMap.frozen(copy);
    }

    private static Map<String, Object> copyMap(Map<?, ?> map, int depth) {
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException("a document is nested at most " + MAX_DEPTH + " deep");
        }
        if (map.size() <= SmallMap.MOST) {
            Object[] both = new Object[2 * map.size()];
            int at = 0;
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                both[at++] = text(entry.getKey());
                both[at++] = normalise(entry.getValue(), depth + 1);
            }
            return new SmallMap<>(both);
        }
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> copy.put(text(key), normalise(value, depth + 1)));
        return SmallMap.frozen(copy);
    }

    private static String text(@org.jspecify.annotations.Nullable Object key) {
        if (key instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("a key is a text, not " + key);
    }

    private static List<Object> copyList(List<?> list, int depth) {
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException("a document is nested at most " + MAX_DEPTH + " deep");
        }
        List<Object> copy = new ArrayList<>(list.size());
        list.forEach(value -> copy.add(normalise(value, depth + 1)));
        return Collections.unmodifiableList(copy);
    }

    private static Object normalise(@org.jspecify.annotations.Nullable Object value, int depth) {
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
