// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.fieldmanagement;

import dev.mooring.clusterstore.fieldmanagement.FieldSet.Branch;
import dev.mooring.clusterstore.schema.FieldType;
import dev.mooring.clusterstore.schema.FieldType.Mapping;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a new object, which all have one manager, as {@link FieldsV1} writes them. The same as the set of all its paths, written
 * down without making the set: most objects that are created are small, and one of very many fields must not cost many times its reading.
 */
final class CreatedFields {
    private static final String SELF = ".";

    private CreatedFields() {}

    /**
     * Writes all fields below a value.
     *
     * @param old what is there by itself, such as an empty spec; null if nothing
     * @param unmanaged paths that do not count, while those below them do
     * @param unreached paths that do not count, with all below them
     */
    static Map<String, Object> encode(FieldNode node, @Nullable FieldNode old, FieldSet unmanaged, FieldSet unreached) {
        Map<PathElement, FieldNode> before = old == null ? Map.of() : old.childrenAsTyped();
        if (before.isEmpty() && unmanaged.isEmpty() && unreached.isEmpty()) {
            return ofNew(node);
        }
        Map<PathElement, FieldNode> children = node.childrenAsTyped();
        PathElement[] steps = children.keySet().toArray(PathElement[]::new);
        Arrays.sort(steps);
        Map<String, Object> fields = new LinkedHashMap<>(capacity(steps.length));
        for (PathElement step : steps) {
            FieldNode child = children.get(step);
            if (child != null) {
                put(step, child, before.get(step), unmanaged.branch(step), unreached.branch(step), fields);
            }
        }
        return fields;
    }

    private static void put(
            PathElement step,
            FieldNode child,
            @Nullable FieldNode old,
            Branch unmanaged,
            Branch unreached,
            Map<String, Object> fields) {
        boolean leaf = child.isLeaf();
        boolean same = old != null && leaf && old.isLeaf() && child.value().equals(old.value());
        if (unreached.member() || same) {
            return;
        }
        Map<String, Object> below = leaf ? Map.of() : encode(child, old, unmanaged.below(), unreached.below());
        boolean written = (old == null || (leaf && old.isLeaf())) && !unmanaged.member();
        if (written || !below.isEmpty()) {
            fields.put(step.encoded(), written ? withSelf(below) : below);
        }
    }

    private static Map<String, Object> withSelf(Map<String, Object> below) {
        if (below.isEmpty()) {
            return below;
        }
        Map<String, Object> withSelf = new LinkedHashMap<>(capacity(below.size() + 1));
        withSelf.put(SELF, Map.of());
        withSelf.putAll(below);
        return withSelf;
    }

    /** The fields below a value of which nothing was there by itself, and which all count. */
    private static Map<String, Object> ofNew(FieldNode node) {
        Optional<Map<String, Object>> values = plainValues(node);
        if (values.isPresent()) {
            return names(values.get());
        }
        Optional<Elements> elements = Elements.of(node);
        if (elements.isPresent()) {
            return elements(elements.get());
        }
        Map<PathElement, FieldNode> children = node.childrenAsTyped();
        PathElement[] steps = children.keySet().toArray(PathElement[]::new);
        Arrays.sort(steps);
        Map<String, Object> fields = new LinkedHashMap<>(capacity(steps.length));
        for (PathElement step : steps) {
            fields.put(step.encoded(), below(Objects.requireNonNull(children.get(step))));
        }
        return fields;
    }

    private static Map<String, Object> below(FieldNode child) {
        return child.isLeaf() ? Map.of() : withSelf(ofNew(child));
    }

    /** Most elements have the same fields as the one before: what was written for that one serves them too. */
    private static Map<String, Object> elements(Elements elements) {
        Map<String, Object> fields = new LinkedHashMap<>(capacity(elements.size()));
        Object last = JsonNull.NULL;
        Map<String, Object> below = Map.of();
        for (int i = 0; i < elements.size(); i++) {
            FieldNode element = elements.node(i);
            if (!isAlike(element.value(), last)) {
                below = Document.of(below(element)).asMap(); // as the object will have it, which then copies nothing
                last = element.value();
            }
            fields.put(elements.encoded(i), below);
        }
        return fields;
    }

    /** Whether two values of one type have the same fields, at every depth. */
    private static boolean isAlike(Object one, Object other) {
        if (one instanceof Map<?, ?> first) {
            return other instanceof Map<?, ?> second && areAlike(first, second);
        }
        return one instanceof List<?> || other instanceof List<?> || other instanceof Map<?, ?>
                ? one.equals(other)
                : !one.equals(JsonNull.NULL) && !other.equals(JsonNull.NULL);
    }

    private static boolean areAlike(Map<?, ?> one, Map<?, ?> other) {
        if (one.size() != other.size()) {
            return false;
        }
        Iterator<? extends Map.Entry<?, ?>> others = other.entrySet().iterator();
        for (Map.Entry<?, ?> entry : one.entrySet()) {
            Map.Entry<?, ?> with = others.next();
            if (!entry.getKey().equals(with.getKey()) || !isAlike(entry.getValue(), with.getValue())) {
                return false;
            }
        }
        return true;
    }

    /** The values of a mapping that cannot have anything below them; empty if the value is not a mapping. */
    private static Optional<Map<String, Object>> plainValues(FieldNode node) {
        return !node.isLeaf()
                        && node.type() instanceof Mapping mapping
                        && mapping.values() instanceof FieldType.Plain
                        && node.value() instanceof Map<?, ?>
                ? Optional.of(FieldNode.asMap(node.value()))
                : Optional.empty();
    }

    private static Map<String, Object> names(Map<String, Object> values) {
        String[] names = values.keySet().toArray(String[]::new);
        Arrays.sort(names);
        Map<String, Object> fields = new LinkedHashMap<>(capacity(names.length));
        for (String name : names) {
            fields.put("f:" + name, Map.of());
        }
        return fields;
    }

    private static int capacity(int size) {
        return size * 4 / 3 + 1;
    }
}
