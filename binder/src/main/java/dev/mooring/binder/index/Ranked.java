// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import dev.mooring.storage.model.Quantity;

/**
 * Something that has a place in {@link SortedLeaves}: ordered by an exact amount first, by a tie-break then.
 *
 * <p>Both parts have a projection to a {@code long} that never contradicts them: where the projections of two elements differ, so do
 * the elements, in the same direction; where they are equal the exact comparison decides. So a search reads arrays of {@code long} and
 * touches an element itself only in a tie.
 */
abstract class Ranked {
    /** The floor of the amount, clamped to the range of {@code long}. */
    private final long key;

    /** Whether {@link #key} is the amount itself: neither rounded nor clamped. */
    private final boolean exact;

    Ranked(long key, boolean exact) {
        this.key = key;
        this.exact = exact;
    }

    final long key() {
        return key;
    }

    final boolean exact() {
        return exact;
    }

    /** Compares the amounts when the keys are equal. */
    final int compareAmount(Ranked other) {
        return exact && other.exact ? 0 : compareInexactAmount(other);
    }

    /** Compares the amounts in full; called only if at least one of the two is not {@link #exact()}. */
    abstract int compareInexactAmount(Ranked other);

    /** What the amount was made of. */
    abstract Quantity quantity();

    /**
     * The projection of the tie-break, to be compared as signed.
     *
     * @param skip how many leading characters of the tie-break all elements beside this one have in common
     */
    abstract long word(int skip);

    /** How many leading characters of the tie-break this and the other have in common; 0 where the word does not depend on it. */
    abstract int sharedPrefix(Ranked other);

    /** Compares the tie-breaks in full; 0 only for one and the same thing. */
    abstract int compareTie(Ranked other);
}
