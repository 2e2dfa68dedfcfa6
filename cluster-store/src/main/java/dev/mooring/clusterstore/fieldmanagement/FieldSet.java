// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.fieldmanagement;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.apiguardian.api.API;

/** A set of paths to fields of an object. A path may be in it without those below it, and the other way round. Immutable. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FieldSet {
    /** No field. */
    public static final FieldSet EMPTY = new FieldSet(new TreeMap<>());

    /**
     * What is known of the paths that begin with a step.
     *
     * @param member whether the step itself is in the set
     * @param below the paths behind it
     */
    record Branch(boolean member, FieldSet below) {
        static final Branch NONE = new Branch(false, EMPTY);

        boolean isEmpty() {
            return !member && below.isEmpty();
        }
    }

    private final SortedMap<PathElement, Branch> branches;

    private FieldSet(SortedMap<PathElement, Branch> branches) {
        this.branches = branches;
    }

    /** Takes the branches that are not empty. */
    static FieldSet of(Map<PathElement, Branch> branches) {
        if (branches.isEmpty()) {
            return EMPTY;
        }
        TreeMap<PathElement, Branch> kept = new TreeMap<>(branches);
        kept.values().removeIf(Branch::isEmpty);
        return kept.isEmpty() ? EMPTY : new FieldSet(kept);
    }

    /**
     * The set of one path of field names.
     *
     * @param names at least one
     */
    static FieldSet ofField(String... names) {
        FieldSet set = EMPTY;
        for (int i = names.length - 1; i >= 0; i--) {
            set = of(Map.of(PathElement.field(names[i]), new Branch(i == names.length - 1, set)));
        }
        return set;
    }

    /** The branches by their steps; unmodifiable by agreement. */
    SortedMap<PathElement, Branch> branches() {
        return branches;
    }

    Branch branch(PathElement step) {
        return branches.getOrDefault(step, Branch.NONE);
    }

    /** Whether no path is in it. */
    public boolean isEmpty() {
        return branches.isEmpty();
    }

    /** What is in this or in the other. */
    public FieldSet union(FieldSet other) {
        if (other.isEmpty()) {
            return this;
        } else if (isEmpty()) {
            return other;
        }
        TreeMap<PathElement, Branch> all = new TreeMap<>(branches);
        other.branches.forEach((step, branch) -> all.merge(
                step, branch, (one, two) -> new Branch(one.member || two.member, one.below.union(two.below))));
        return new FieldSet(all);
    }

    /** What is in this and in the other. */
    public FieldSet intersection(FieldSet other) {
        return mapped((step, mine) -> {
            Branch theirs = other.branch(step);
            return new Branch(mine.member && theirs.member, mine.below.intersection(theirs.below));
        });
    }

    /** What is in this and not in the other. */
    public FieldSet difference(FieldSet other) {
        return other.isEmpty()
                ? this
                : mapped((step, mine) -> {
                    Branch theirs = other.branch(step);
                    return new Branch(mine.member && !theirs.member, mine.below.difference(theirs.below));
                });
    }

    /** What is in this, and neither in the other nor below a path of the other. */
    FieldSet outside(FieldSet roots) {
        return roots.isEmpty()
                ? this
                : mapped((step, mine) -> {
                    Branch root = roots.branch(step);
                    return root.member ? Branch.NONE : new Branch(mine.member, mine.below.outside(root.below));
                });
    }

    private FieldSet mapped(BiFunction<PathElement, Branch, Branch> change) {
        TreeMap<PathElement, Branch> changed = new TreeMap<>(branches);
        changed.replaceAll(change);
        changed.values().removeIf(Branch::isEmpty);
        return changed.isEmpty() ? EMPTY : new FieldSet(changed);
    }

    /** The paths as messages show them, such as {@code .spec.containers[name="a"].image}: those of one object before those below it. */
    public List<String> paths() {
        List<String> paths = new ArrayList<>();
        forEach("", paths::add);
        return paths;
    }

    private void forEach(String parent, Consumer<String> path) {
        branches.forEach((step, branch) -> {
            if (branch.member) {
                path.accept(parent + step);
            }
        });
        branches.forEach((step, branch) -> branch.below.forEach(parent + step, path));
    }

    /** A set that is being put together. Not thread-safe. */
    static final class Builder {
        private final TreeMap<PathElement, Builder> children = new TreeMap<>();
        private boolean member;

        /** The builder of what is behind a step. */
        Builder at(PathElement step) {
            return children.computeIfAbsent(step, each -> new Builder());
        }

        /** Adds the path that this builder stands for; of the root it does nothing. */
        void add() {
            member = true;
        }

        FieldSet build() {
            TreeMap<PathElement, Branch> branches = new TreeMap<>();
            children.forEach((step, child) -> branches.put(step, new Branch(child.member, child.build())));
            return of(branches);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FieldSet that && branches.equals(that.branches);
    }

    @Override
    public int hashCode() {
        return branches.hashCode();
    }

    /** The paths. */
    @Override
    public String toString() {
        return paths().toString();
    }
}
