// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.document;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apiguardian.api.API;

/**
 * Some of the fields of a JSON object: for each key, whether its value counts as a whole, in part, or not at all. What holds for a list
 * holds for each of its elements. Immutable.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FieldSelection {
    /** Every field. */
    public static final FieldSelection ALL = new FieldSelection(true, Map.of());

    /** No field. */
    public static final FieldSelection NONE = new FieldSelection(false, Map.of());

    private final boolean others;
    private final Map<String, FieldSelection> named;

    private FieldSelection(boolean others, Map<String, FieldSelection> named) {
        this.others = others;
        this.named = named;
    }

    /** These values as a whole, and no others; each path is a list of keys with dots between them, as {@code spec.nodeName}. */
    public static FieldSelection of(String... paths) {
        FieldSelection selection = NONE;
        for (String path : paths) {
            FieldSelection one = ALL;
            List<String> keys = List.of(path.split("\\.", -1));
            for (int i = keys.size() - 1; i >= 0; i--) {
                one = one.below(keys.get(i));
            }
            selection = selection.and(one);
        }
        return selection;
    }

    /** The same fields of the object that a key of a larger one has. */
    public FieldSelection below(String key) {
        return isNone() ? NONE : new FieldSelection(false, Map.of(key, this));
    }

    /** What either of the two selects. */
    public FieldSelection and(FieldSelection more) {
        Map<String, FieldSelection> both = new LinkedHashMap<>();
        TreeSet<String> keys = new TreeSet<>(named.keySet());
        keys.addAll(more.named.keySet());
        keys.forEach(key -> both.put(key, isAll() || more.isAll() ? ALL : at(key).and(more.at(key))));
        return made(others || more.others, both);
    }

    /**
     * The same without one value.
     *
     * @param path its keys, which may have dots in them
     */
    public FieldSelection without(String... path) {
        FieldSelection child = at(path[0]);
        Map<String, FieldSelection> less = new LinkedHashMap<>(named);
        less.put(path[0], path.length == 1 ? NONE : child.without(Arrays.copyOfRange(path, 1, path.length)));
        return made(others, less);
    }

    private static FieldSelection made(boolean others, Map<String, FieldSelection> named) {
        named.values().removeIf(each -> others ? each.isAll() : each.isNone());
        if (named.isEmpty()) {
            return others ? ALL : NONE;
        }
        return new FieldSelection(others, Map.copyOf(named));
    }

    /** What is selected of the value that a key has. */
    public FieldSelection at(String key) {
        FieldSelection known = named.get(key);
        return known != null ? known : others ? ALL : NONE;
    }

    /** Whether every field is selected. */
    public boolean isAll() {
        return others && named.isEmpty();
    }

    /** Whether no field is selected. */
    public boolean isNone() {
        return !others && named.isEmpty();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FieldSelection that && others == that.others && named.equals(that.named);
    }

    @Override
    public int hashCode() {
        return 31 * named.hashCode() + Boolean.hashCode(others);
    }

    @Override
    public String toString() {
        return isAll() ? "all" : isNone() ? "none" : (others ? "all, but " : "") + named;
    }
}
