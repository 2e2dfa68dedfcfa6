// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.fieldmanagement;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What differs between two values of one type.
 *
 * @param added paths that only the second has
 * @param modified paths to leaves that both have, with different values
 * @param removed paths that only the first has
 */
record Comparison(FieldSet added, FieldSet modified, FieldSet removed) {
    static Comparison of(FieldNode before, FieldNode after) {
        FieldSet.Builder added = new FieldSet.Builder();
        FieldSet.Builder modified = new FieldSet.Builder();
        FieldSet.Builder removed = new FieldSet.Builder();
        compare(before, after, added, modified, removed);
        return new Comparison(added.build(), modified.build(), removed.build());
    }

    /** What whoever made the second of the first has written. */
    FieldSet written() {
        return added.union(modified);
    }

    /** The same without fields that do not count. */
    Comparison outside(FieldSet ignored) {
        return new Comparison(added.outside(ignored), modified.outside(ignored), removed.outside(ignored));
    }

    private static void compare(
            @Nullable FieldNode before,
            @Nullable FieldNode after,
            FieldSet.Builder added,
            FieldSet.Builder modified,
            FieldSet.Builder removed) {
        if (before == null) {
            added.add();
        } else if (after == null) {
            removed.add();
        } else if (isSame(before.value(), after.value())) {
            return;
        }
        boolean leaf = isLeaf(before) && isLeaf(after);
        if (leaf) {
            if (before != null && after != null && !before.value().equals(after.value())) {
                modified.add();
            }
            return;
        }
        Map<PathElement, FieldNode> old = before == null ? Map.of() : before.childrenAsTyped();
        Map<PathElement, FieldNode> now = after == null ? Map.of() : after.childrenAsTyped();
        Set<PathElement> steps = new LinkedHashSet<>(old.keySet());
        steps.addAll(now.keySet());
        steps.forEach(
                step -> compare(old.get(step), now.get(step), added.at(step), modified.at(step), removed.at(step)));
    }

    /** Shared parts of documents are the same object. */
    private static boolean isSame(Object one, Object other) {
        return one == other;
    }

    private static boolean isLeaf(@Nullable FieldNode node) {
        return node == null || node.isLeaf();
    }
}
