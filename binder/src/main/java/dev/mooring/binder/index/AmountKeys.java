// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** Quantities as {@code long} keys: rounded and clamped in a way that never turns an order around (D14). */
final class AmountKeys {
    private static final String STORAGE = "storage";
    private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);

    private AmountKeys() {}

    /** A missing capacity is none (F4). */
    static Quantity capacityOf(PersistentVolume volume) {
        Quantity capacity = volume.spec().capacity().get(STORAGE);
        return capacity == null ? Quantity.ZERO : capacity;
    }

    /** A missing request is none (F4). */
    static Quantity requestOf(PersistentVolumeClaim claim) {
        Quantity request = claim.spec().resources().requests().get(STORAGE);
        return request == null ? Quantity.ZERO : request;
    }

    /** The largest integer not above the quantity; the quantity itself if it {@link Quantity#fitsLong}. */
    static long floor(Quantity quantity) {
        return quantity.fitsLong() ? quantity.longValue() : floor(quantity.value());
    }

    /** The largest integer not above the negated quantity. */
    static long floorOfNegated(Quantity quantity) {
        return quantity.fitsLong()
                ? -quantity.longValue()
                : floor(quantity.value().negate());
    }

    /**
     * Too small a value becomes the smallest long, which no quantity that fits ever is; too large a one shares its key with the largest
     * that fits, which is below it and so found by no search for more.
     */
    private static long floor(BigDecimal value) {
        if (value.abs().compareTo(LARGEST) > 0) {
            return value.signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
        return value.setScale(0, RoundingMode.FLOOR).longValue();
    }
}
