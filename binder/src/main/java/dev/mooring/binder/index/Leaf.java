// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One run of elements of {@link SortedLeaves} with their projections beside them.
 *
 * <p>The arrays begin small: most groups of a cluster hold a handful of volumes.
 *
 * @param <E> the kind of element
 */
final class Leaf<E extends Ranked> {
    private static final int SMALLEST = 4;

    long[] keys;
    long[] words;
    int size;

    private @Nullable Ranked[] elements;

    Leaf() {
        this(SMALLEST);
    }

    private Leaf(int capacity) {
        keys = new long[capacity];
        words = new long[capacity];
        elements = new Ranked[capacity];
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // only E goes in, and below size nothing is null
    E get(int slot) {
        return (E) elements[slot];
    }

    /** Whether exactly this object stands in a slot. */
    @SuppressWarnings("ReferenceEquality")
    boolean holds(int slot, E element) {
        return elements[slot] == element;
    }

    void set(int slot, E element) {
        elements[slot] = element;
    }

    void insertAt(int slot, E element, long word) {
        reserve(size + 1);
        int tail = size - slot;
        System.arraycopy(keys, slot, keys, slot + 1, tail);
        System.arraycopy(words, slot, words, slot + 1, tail);
        System.arraycopy(elements, slot, elements, slot + 1, tail);
        keys[slot] = element.key();
        words[slot] = word;
        elements[slot] = element;
        size++;
    }

    void removeAt(int slot) {
        int tail = size - slot - 1;
        System.arraycopy(keys, slot + 1, keys, slot, tail);
        System.arraycopy(words, slot + 1, words, slot, tail);
        System.arraycopy(elements, slot + 1, elements, slot, tail);
        size--;
        elements[size] = null;
    }

    /** Cuts off what is at {@code slot} and behind it. */
    Leaf<E> splitAt(int slot) {
        int moved = size - slot;
        Leaf<E> right = new Leaf<>(keys.length);
        System.arraycopy(keys, slot, right.keys, 0, moved);
        System.arraycopy(words, slot, right.words, 0, moved);
        System.arraycopy(elements, slot, right.elements, 0, moved);
        right.size = moved;
        Arrays.fill(elements, slot, size, null);
        size = slot;
        return right;
    }

    /** Takes over all of the leaf to the right. There is room: a leaf that has a neighbour comes of a full one, and never shrinks. */
    void append(Leaf<E> right) {
        System.arraycopy(right.keys, 0, keys, size, right.size);
        System.arraycopy(right.words, 0, words, size, right.size);
        System.arraycopy(right.elements, 0, elements, size, right.size);
        size += right.size;
    }

    void takeWords(int skip) {
        for (int i = 0; i < size; i++) {
            words[i] = get(i).word(skip);
        }
    }

    private void reserve(int wanted) {
        if (wanted > keys.length) {
            int length = Math.min(SortedLeaves.LEAF_CAPACITY, Math.max(wanted, keys.length * 2));
            keys = Arrays.copyOf(keys, length);
            words = Arrays.copyOf(words, length);
            elements = Arrays.copyOf(elements, length);
        }
    }

    void check(int skip) {
        for (int i = 0; i < size; i++) {
            Ranked element = get(i);
            if (keys[i] != element.key() || words[i] != element.word(skip)) {
                throw new IllegalStateException("projection differs in slot " + i);
            }
        }
        for (int i = size; i < elements.length; i++) {
            if (elements[i] != null) {
                throw new IllegalStateException("slot " + i + " keeps a removed element");
            }
        }
    }
}
