// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.fieldmanagement;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Merges what a manager applies into an object: leaves are replaced, everything else is merged. */
final class Merging {
    private Merging() {}

    /** The value of both. */
    static Object merged(FieldNode live, FieldNode applied) {
        if (applied.isNull() && !live.isLeaf()) {
            return live.value();
        } else if (live.isLeaf() || applied.isLeaf()) {
            return applied.value();
        }
        Map<PathElement, FieldNode> before = live.children();
        Map<PathElement, FieldNode> wanted = applied.children();
        Map<PathElement, Object> all = new LinkedHashMap<>();
        for (PathElement step : order(before, wanted)) {
            all.put(step, either(before.get(step), wanted.get(step)));
        }
        return applied.withChildren(all);
    }

    private static Object either(@Nullable FieldNode live, @Nullable FieldNode applied) {
        if (applied == null) {
            return live == null ? Map.of() : live.value();
        }
        return live == null ? applied.value() : merged(live, applied);
    }

    /** What is applied keeps its order; what is not stays behind what it stood behind. */
    private static Set<PathElement> order(Map<PathElement, FieldNode> live, Map<PathElement, FieldNode> applied) {
        List<PathElement> left = new ArrayList<>(live.keySet());
        List<PathElement> right = new ArrayList<>(applied.keySet());
        Set<PathElement> order = new LinkedHashSet<>();
        int l = 0;
        int r = 0;
        while (l < left.size() || r < right.size()) {
            if (l < left.size() && !applied.containsKey(left.get(l))) {
                order.add(left.get(l++));
            } else if (l < left.size() && order.contains(left.get(l))) {
                l++;
            } else if (r < right.size()) {
                order.add(right.get(r++));
            } else {
                l++;
            }
        }
        return order;
    }
}
