// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.fieldmanagement;

import dev.mooring.storage.document.Document;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One step of a path to a field: the name of a field, the keys of a list's element, a value of a set, or an index. In the order in which
 * Kubernetes sorts them. Immutable.
 */
final class PathElement implements Comparable<PathElement> {
    private enum Form {
        FIELD,
        KEYS,
        VALUE,
        INDEX
    }

    private static final Comparator<Object> VALUES =
            Comparator.<Object>comparingInt(PathElement::rank).thenComparing(PathElement::compareAlike);

    private final Form form;

    /** A text, a sorted map of texts to values, a value or an index. */
    private final Object content;

    /** What elements with keys are sorted by; empty for others. */
    private final List<Object> order;

    private final int hash;

    private PathElement(Form form, Object content) {
        this.form = form;
        this.content = content;
        this.order = form == Form.KEYS ? flat(map(content)) : List.of();
        this.hash = 31 * form.hashCode() + content.hashCode();
    }

    static PathElement field(String name) {
        return new PathElement(Form.FIELD, name);
    }

    /**
     * The element of a list that has these values in its key fields.
     *
     * @param keys not empty
     */
    static PathElement keys(Map<String, Object> keys) {
        return new PathElement(Form.KEYS, new TreeMap<>(keys));
    }

    /** The same of one key. */
    static PathElement key(String name, Object value) {
        return new PathElement(Form.KEYS, Map.of(name, value));
    }

    static PathElement value(Object value) {
        return new PathElement(Form.VALUE, value);
    }

    static PathElement index(long index) {
        return new PathElement(Form.INDEX, index);
    }

    boolean isKeys() {
        return form == Form.KEYS;
    }

    /** The name of a field; empty if it is none. */
    String fieldName() {
        return form == Form.FIELD ? (String) content : "";
    }

    /** As {@code fieldsV1} writes it, such as {@code f:spec}. */
    String encoded() {
        return switch (form) {
            case FIELD -> "f:" + content;
            case KEYS -> "k:" + json(content);
            case VALUE -> "v:" + json(content);
            case INDEX -> "i:" + content;
        };
    }

    /** As {@link #encoded} of an element with one key. */
    static String encodedKey(String name, String text) {
        return isPlain(name) && isPlain(text)
                ? "k:{\"" + name + "\":\"" + text + "\"}"
                : key(name, text).encoded();
    }

    /** As {@link #encoded} of a value. */
    static String encodedValue(String text) {
        return isPlain(text) ? "v:\"" + text + "\"" : value(text).encoded();
    }

    private static String json(Object value) {
        if (value instanceof Map<?, ?> keys && keys.size() == 1) {
            Map.Entry<?, ?> only = keys.entrySet().iterator().next();
            if (only.getKey() instanceof String key
                    && only.getValue() instanceof String text
                    && isPlain(key)
                    && isPlain(text)) { // the name of a container or volume, as most are
                return "{\"" + key + "\":\"" + text + "\"}";
            }
        }
        String text = Document.of(Map.of("v", value)).toString();
        return text.substring("{\"v\":".length(), text.length() - 1);
    }

    /** Whether JSON has nothing to escape in it, however it is written. */
    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '-' && c <= '9');
            if (!plain) {
                return false;
            }
        }
        return true;
    }

    /** As messages show it behind what stands before it, such as {@code .spec} or {@code [name="a"]}. */
    @Override
    public String toString() {
        return switch (form) {
            case FIELD -> "." + content;
            case KEYS ->
                map(content).entrySet().stream()
                        .map(each -> each.getKey() + "=" + json(each.getValue()))
                        .collect(Collectors.joining(",", "[", "]"));
            case VALUE -> "[=" + json(content) + "]";
            case INDEX -> "[" + content + "]";
        };
    }

    @SuppressWarnings("unchecked") // only keys() makes it
    private static Map<String, Object> map(Object content) {
        return (Map<String, Object>) content;
    }

    @Override
    public int compareTo(PathElement other) {
        if (form != other.form) {
            return form.compareTo(other.form);
        } else if (content instanceof String text && other.content instanceof String with) {
            return text.compareTo(with);
        }
        return form == Form.KEYS ? compareLists(order, other.order) : VALUES.compare(content, other.content);
    }

    private static List<Object> flat(Map<String, Object> keys) {
        List<Object> flat = new ArrayList<>(2 * keys.size());
        keys.forEach((key, value) -> {
            flat.add(key);
            flat.add(value);
        });
        return flat;
    }

    private static int compareLists(List<Object> one, List<Object> other) {
        for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
            int order = VALUES.compare(one.get(i), other.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(one.size(), other.size());
    }

    private static int rank(Object value) {
        return value instanceof Number ? 0 : value instanceof String ? 1 : value instanceof Boolean ? 2 : 3;
    }

    private static int compareAlike(Object one, Object other) {
        if (one instanceof Long number && other instanceof Long with) {
            return number.compareTo(with);
        } else if (one instanceof Number && other instanceof Number) {
            return new BigDecimal(one.toString()).compareTo(new BigDecimal(other.toString()));
        } else if (one instanceof String text && other instanceof String with) {
            return text.compareTo(with);
        }
        return json(one).compareTo(json(other));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PathElement that
                && hash == that.hash
                && form == that.form
                && content.equals(that.content);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
