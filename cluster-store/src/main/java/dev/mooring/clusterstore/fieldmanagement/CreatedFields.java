// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.fieldmanagement;

import dev.mooring.clusterstore.fieldmanagement.FieldNode.Child;
import dev.mooring.clusterstore.fieldmanagement.FieldSet.Branch;
import dev.mooring.clusterstore.schema.FieldType;
import dev.mooring.clusterstore.schema.FieldType.Mapping;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a new object, which all have one manager, as {@link FieldsV1} writes them. The same as the set of all its paths, written
 * down without making the set: most objects that are created are small, and one of very many fields must not cost many times its reading.
 */
final class CreatedFields {
    private CreatedFields() {}

    /**
     * Writes all fields below a value.
     *
     * @param old what is there by itself, such as an empty spec; null if nothing
     * @param unmanaged paths that do not count, while those below them do
     * @param unreached paths that do not count, with all below them
     */
    static Map<String, Object> encode(FieldNode node, @Nullable FieldNode old, FieldSet unmanaged, FieldSet unreached) {
        return encode(node, old, unmanaged, unreached, false);
    }

    private static Map<String, Object> encode(
            FieldNode node, @Nullable FieldNode old, FieldSet unmanaged, FieldSet unreached, boolean self) {
        Map<PathElement, FieldNode> before = old == null ? Map.of() : old.childrenAsTyped();
        if (before.isEmpty() && unmanaged.isEmpty() && unreached.isEmpty()) {
            return ofNew(node, self);
        }
        Child[] children = node.sortedChildrenAsTyped();
        WrittenFields fields = new WrittenFields(children.length, self);
        for (Child child : children) {
            PathElement step = child.step();
            put(step, child.node(), before.get(step), unmanaged.branch(step), unreached.branch(step), fields);
        }
        return fields.withoutSelfAlone();
    }

    private static void put(
            PathElement step,
            FieldNode child,
            @Nullable FieldNode old,
            Branch unmanaged,
            Branch unreached,
            WrittenFields fields) {
        boolean leaf = child.isLeaf();
        boolean same = old != null && leaf && old.isLeaf() && child.value().equals(old.value());
        if (unreached.member() || same) {
            return;
        }
        boolean written = (old == null || (leaf && old.isLeaf())) && !unmanaged.member();
        Map<String, Object> below = leaf ? Map.of() : encode(child, old, unmanaged.below(), unreached.below(), written);
        if (written || !below.isEmpty()) {
            fields.put(step.encoded(), below);
        }
    }

    /** The fields below a value of which nothing was there by itself, and which all count. */
    private static Map<String, Object> ofNew(FieldNode node, boolean self) {
        Optional<Map<String, Object>> values = plainValues(node);
        if (values.isPresent()) {
            return names(values.get(), self);
        }
        Optional<KeyedElements> elements = KeyedElements.of(node);
        if (elements.isPresent()) {
            return elements(elements.get(), self);
        }
        Child[] children = node.sortedChildrenAsTyped();
        WrittenFields fields = new WrittenFields(children.length, self);
        for (Child child : children) {
            fields.put(child.step().encoded(), below(child.node()));
        }
        return fields.withoutSelfAlone();
    }

    private static Map<String, Object> below(FieldNode child) {
        return child.isLeaf() ? Map.of() : ofNew(child, true);
    }

    /** Most elements have the same fields as the one before: what was written for that one serves them too. */
    private static Map<String, Object> elements(KeyedElements elements, boolean self) {
        WrittenFields fields = new WrittenFields(elements.size(), self);
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
        return fields.withoutSelfAlone();
    }

    /** Whether two values of one type have the same fields, at every depth. */
    private static boolean isAlike(Object one, Object other) {
        if (one instanceof Map<?, ?> first) {
            return other instanceof Map<?, ?> second && areAlike(first, second);
        }
        boolean whole = one instanceof List<?> || other instanceof List<?> || other instanceof Map<?, ?>;
        if (whole) {
            return one.equals(other);
        }
        return !one.equals(JsonNull.NULL) && !other.equals(JsonNull.NULL);
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

    private static Map<String, Object> names(Map<String, Object> values, boolean self) {
        String[] names = values.keySet().toArray(String[]::new);
        Arrays.sort(names);
        WrittenFields fields = new WrittenFields(names.length, self);
        for (String name : names) {
            fields.put("f:" + name, Map.of());
        }
        return fields.withoutSelfAlone();
    }
}
