// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import java.util.List;
import org.apiguardian.api.API;

/**
 * Where a key stands among those that are ready at once.
 *
 * @param tier lower comes first
 * @param order within a tier, compared element by element; lower comes first; a shorter list before a longer one
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
    @SuppressWarnings("unchecked") // elements at one place have one type, by contract
    public int compareTo(Rank other) {
        int byTier = Integer.compare(tier, other.tier);
        for (int i = 0; byTier == 0 && i < order.size() && i < other.order.size(); i++) {
            byTier = ((Comparable<Object>) order.get(i)).compareTo(other.order.get(i));
        }
        return byTier != 0 ? byTier : Integer.compare(order.size(), other.order.size());
    }
}
