// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.document;

import java.util.AbstractList;
import java.util.RandomAccess;

/** An immutable list of JSON values. Its class says that nothing below it changes. */
final class FrozenList extends AbstractList<Object> implements RandomAccess {
    private final Object[] elements;

    /** Takes over the array. */
    FrozenList(Object[] elements) {
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
}
