// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.fieldmanagement;

import dev.mooring.clusterstore.fieldmanagement.FieldSet.Branch;
import dev.mooring.clusterstore.schema.FieldType;
import dev.mooring.clusterstore.schema.FieldType.Mapping;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
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
        Optional<Map<String, Object>> values = plainValues(node);
        if (values.isPresent() && old == null && unmanaged.isEmpty() && unreached.isEmpty()) {
            return names(values.get());
        }
        Map<PathElement, FieldNode> children = node.childrenAsTyped();
        Map<PathElement, FieldNode> before = old == null ? Map.of() : old.childrenAsTyped();
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
        if (written && !below.isEmpty()) {
            Map<String, Object> withSelf = new LinkedHashMap<>(capacity(below.size() + 1));
            withSelf.put(SELF, Map.of());
            withSelf.putAll(below);
            below = withSelf;
        }
        if (written || !below.isEmpty()) {
            fields.put(step.encoded(), below);
        }
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
