// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.fieldmanagement;

import dev.mooring.clusterstore.fieldmanagement.FieldSet.Branch;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What differs between two values of one type.
 *
 * @param added paths that only the second has
 * @param modified paths to leaves that both have, with different values
 * @param removed paths that only the first has
 */
record FieldComparison(FieldSet added, FieldSet modified, FieldSet removed) {
    /** What differs at a path and below it. */
    private record Difference(Branch added, Branch modified, Branch removed) {
        static final Difference NONE = new Difference(Branch.NONE, Branch.NONE, Branch.NONE);
        static final Difference MODIFIED = new Difference(Branch.NONE, new Branch(true, FieldSet.EMPTY), Branch.NONE);

        boolean isEmpty() {
            return added.isEmpty() && modified.isEmpty() && removed.isEmpty();
        }
    }

    static FieldComparison of(FieldNode before, FieldNode after) {
        Difference difference = compare(before, after);
        return new FieldComparison(
                difference.added().below(),
                difference.modified().below(),
                difference.removed().below());
    }

    /** What a writer has written that made the second of the first. */
    FieldSet written() {
        return added.union(modified);
    }

    /** The same without fields that do not count. */
    FieldComparison outside(FieldSet ignored) {
        return new FieldComparison(added.outside(ignored), modified.outside(ignored), removed.outside(ignored));
    }

    private static Difference compare(@Nullable FieldNode before, @Nullable FieldNode after) {
        if (before != null && after != null) {
            if (isSame(before.value(), after.value())) {
                return Difference.NONE;
            } else if (before.isLeaf() && after.isLeaf()) {
                return before.value().equals(after.value()) ? Difference.NONE : Difference.MODIFIED;
            }
        }
        Map<PathElement, Branch> added = new HashMap<>();
        Map<PathElement, Branch> modified = new HashMap<>();
        Map<PathElement, Branch> removed = new HashMap<>();
        Map<PathElement, FieldNode> old = before == null ? Map.of() : before.childrenAsTyped();
        Map<PathElement, FieldNode> now = after == null ? Map.of() : after.childrenAsTyped();
        now.forEach((step, child) -> put(step, compare(old.get(step), child), added, modified, removed));
        old.forEach((step, child) -> {
            if (!now.containsKey(step)) {
                put(step, compare(child, null), added, modified, removed);
            }
        });
        return new Difference(
                new Branch(before == null, FieldSet.of(added)),
                new Branch(false, FieldSet.of(modified)),
                new Branch(after == null, FieldSet.of(removed)));
    }

    private static void put(
            PathElement step,
            Difference difference,
            Map<PathElement, Branch> added,
            Map<PathElement, Branch> modified,
            Map<PathElement, Branch> removed) {
        if (!difference.isEmpty()) {
            put(step, difference.added(), added);
            put(step, difference.modified(), modified);
            put(step, difference.removed(), removed);
        }
    }

    private static void put(PathElement step, Branch branch, Map<PathElement, Branch> into) {
        if (!branch.isEmpty()) {
            into.put(step, branch);
        }
    }

    /** Shared parts of documents are the same object. */
    @SuppressWarnings("ReferenceEquality") // to compare them would be the work that is saved
    private static boolean isSame(Object one, Object other) {
        return one == other;
    }
}
