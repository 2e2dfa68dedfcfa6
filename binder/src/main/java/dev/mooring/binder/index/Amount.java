// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import dev.mooring.storage.model.Quantity;

/** An amount without a tie-break: what is looked for when a {@code long} cannot say it. */
final class Amount extends Ranked {
    private final Quantity quantity;

    Amount(long key, boolean exact, Quantity quantity) {
        super(key, exact);
        this.quantity = quantity;
    }

    @Override
    Quantity quantity() {
        return quantity;
    }

    @Override
    int compareInexactAmount(Ranked other) {
        throw new UnsupportedOperationException("an amount is only looked for, never stored");
    }

    @Override
    long word(int skip) {
        return 0;
    }

    @Override
    int sharedPrefix(Ranked other) {
        return 0;
    }

    @Override
    int compareTie(Ranked other) {
        return 0;
    }
}
