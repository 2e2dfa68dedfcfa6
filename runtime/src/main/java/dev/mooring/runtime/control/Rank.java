// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import java.util.List;
import org.apiguardian.api.API;

/**
 * Where a key stands among those that are ready at once.
 *
 * @param tier lower comes first
 * @param order within a tier, compared element by element; lower comes first; a shorter list before a longer one; elements of two types
 *     are compared by the names of these
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Rank(int tier, List<? extends Comparable<?>> order) implements Comparable<Rank> {
    /** No preference. */
    public static final Rank NORMAL = new Rank(100, List.of());

    /** A tier without an order in it. */
    public static Rank tier(int tier) {
        return new Rank(tier, List.of());
    }

    @Override
    public int compareTo(Rank other) {
        int byTier = Integer.compare(tier, other.tier);
        for (int i = 0; byTier == 0 && i < order.size() && i < other.order.size(); i++) {
            byTier = compare(order.get(i), other.order.get(i));
        }
        return byTier != 0 ? byTier : Integer.compare(order.size(), other.order.size());
    }

    /** Controllers that know nothing of each other may have one tier. */
    @SuppressWarnings("unchecked") // what has one class can be compared
    private static int compare(Comparable<?> one, Comparable<?> other) {
        return one.getClass() == other.getClass()
                ? ((Comparable<Object>) one).compareTo(other)
                : one.getClass().getName().compareTo(other.getClass().getName());
    }
}
