// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.compact;

import java.util.AbstractList;
import java.util.RandomAccess;
import java.util.function.Predicate;

/** An immutable list of JSON values. */
public final class FrozenList extends AbstractList<Object> implements RandomAccess {
    private final Object[] elements;

    /** Takes over the array. */
    public FrozenList(Object[] elements) {
        this.elements = elements;
    }

    @Override
    public Object get(int index) {
        return elements[index];
    }

    @Override
    public int size() {
        return elements.length;
    }

    /** Whether a condition holds of all elements. */
    public boolean allMatch(Predicate<Object> condition) {
        for (Object element : elements) {
            if (!condition.test(element)) {
                return false;
            }
        }
        return true;
    }
}
