// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.compact;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiPredicate;

/**
 * Gives out one value for equal immutable ones, as far as it remembers them: labels, finalizers, sizes and zones are the same in very many
 * objects. Memory is bounded: a value makes another of the same place forgotten. Thread-safe.
 */
public final class SharedValues {
    private static final int PLACES = 1 << 12;
    private static final AtomicReferenceArray<Object> KNOWN = new AtomicReferenceArray<>(PLACES);

    private SharedValues() {}

    /** A value equal to the given one and of the same class. */
    public static <T> T one(T value) {
        return one(value, Object::equals);
    }

    /**
     * A value that is the same as the given one and of its class.
     *
     * @param same which values with equal hash codes are the same
     */
    @SuppressWarnings("unchecked") // what is of the same class is of the type asked for
    public static <T> T one(T value, BiPredicate<? super T, ? super T> same) {
        int hash = value.hashCode();
        int place = (hash ^ (hash >>> 12) ^ (hash >>> 24)) & (PLACES - 1);
        Object known = KNOWN.getPlain(place);
        if (known != null && known.getClass() == value.getClass() && same.test((T) known, value)) {
            return (T) known;
        }
        KNOWN.setRelease(place, value);
        return value;
    }
}
