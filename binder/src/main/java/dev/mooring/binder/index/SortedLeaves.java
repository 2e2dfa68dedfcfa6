// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A sorted sequence of {@link Ranked} elements in flat leaves.
 *
 * <h2>Layout</h2>
 *
 * <pre>
 *   directory   firstKeys  long[]   | 1Gi | 1Gi | 5Gi | 8Gi | ...        one per leaf, contiguous
 *               firstWords long[]   | pv-0| pv-7| pv-2| pv-1| ...
 *               leaves     Leaf[]      |     |
 *                                      v     v
 *   leaf        keys       long[]   | 1Gi | 1Gi | 1Gi | ...              at most {@value #LEAF_CAPACITY}
 *               words      long[]   | 0.. | 1.. | 3.. | ...
 *               elements   Ranked[] |  *  |  *  |  *  | ...
 * </pre>
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>The elements of all leaves, one after the other, are strictly ascending by (amount, tie-break).
 *   <li>{@code keys[i]} and {@code words[i]} are the projections of {@code elements[i]}; the directory repeats those of each leaf's
 *       first element.
 *   <li>No leaf is empty. Slots beyond a leaf's size are null, so that nothing removed is kept alive.
 *   <li>All tie-breaks have their first {@code skip} characters in common; words are taken from behind them.
 * </ul>
 *
 * <h2>Search</h2>
 *
 * <p>One binary search in the directory, one in a leaf, both over {@code long[]} and without a branch on the outcome. What follows from
 * an amount alone ({@link #seek(Ranked)} with an exact amount) never reads a word or an element. Places are packed into a {@code long}
 * (leaf, slot), so that neither searching nor walking allocates; a place is valid until the next change.
 *
 * <h2>Why flat</h2>
 *
 * <p>A balanced tree of nodes follows one pointer per comparison; with a million elements nearly each is a cache miss, and each key is
 * another. Here a search over a million elements stays within the directory (about 10,000 longs) and a few lines of one leaf. The price
 * is that a leaf that is split or dropped moves the directory's tail: one copy of at most a hundred kilobytes per some sixty
 * insertions at that size.
 *
 * <p>The words exist for updates among equal amounts. Names of volumes tend to begin alike ({@code pvc-}, {@code pv-0000}), so a prefix
 * from the first character would tell nothing apart; what all names share is skipped. A name that breaks the common beginning has all
 * words taken again, which happens at most as often as the common beginning is long.
 *
 * @param <E> the kind of element
 */
final class SortedLeaves<E extends Ranked> {
    static final int LEAF_CAPACITY = 128;

    /** The place behind the last element. */
    static final long END = Long.MAX_VALUE;

    private static final int SPARSE = LEAF_CAPACITY / 4;
    private static final int COMFORTABLE = LEAF_CAPACITY * 3 / 4;

    private final ProbeCounter probes;
    private long[] firstKeys = new long[1];
    private long[] firstWords = new long[1];

    @SuppressWarnings({"unchecked", "rawtypes"})
    private @Nullable Leaf<E>[] leaves = new Leaf[1];

    private int leafCount;
    private int size;
    private int skip;

    /** How many elements are not {@link Ranked#exact()}: while there are none, equal keys are equal amounts. */
    private int inexact;

    SortedLeaves(ProbeCounter probes) {
        this.probes = probes;
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    // ---- reading ----

    /** The place of the first element whose amount is not below the given one's; {@link #END} if there is none. */
    long seek(Ranked amount) {
        return amount.exact() ? seek(amount.key()) : place(amount, false);
    }

    /** The place of the first element. */
    long first() {
        return size == 0 ? END : 0;
    }

    /** The place of the last element. */
    long last() {
        return size == 0 ? END : packed(leafCount - 1, leaf(leafCount - 1).size - 1);
    }

    /** The place after a given one. */
    long next(long place) {
        int leaf = (int) (place >>> 32);
        int slot = (int) place + 1;
        return slot < leaf(leaf).size ? place + 1 : startOf(leaf + 1);
    }

    /** The element at a place; null at {@link #END}. */
    @Nullable
    E at(long place) {
        return place == END ? null : leaf((int) (place >>> 32)).get((int) place);
    }

    /** The same for an amount that is exactly {@code key}. */
    long seek(long key) {
        int leaf = countBelow(firstKeys, leafCount, key) - 1;
        if (leaf < 0) {
            return first();
        }
        Leaf<E> found = leaf(leaf);
        int slot = countBelow(found.keys, found.size, key);
        return slot < found.size ? packed(leaf, slot) : startOf(leaf + 1);
    }

    /** How many of the first {@code count} keys are below {@code key}. */
    private int countBelow(long[] keys, int count, long key) {
        int base = 0;
        int rest = count;
        int steps = 1;
        while (rest > 1) {
            int half = rest >>> 1;
            // A conditional move: which half it is cannot be predicted.
            base = keys[base + half - 1] < key ? base + half : base;
            rest -= half;
            steps++;
        }
        probes.add(steps);
        return rest == 1 && keys[base] < key ? base + 1 : base;
    }

    // ---- writing ----

    /** Adds an element that is not there yet. */
    void add(E element) {
        adaptSkip(element);
        if (size == 0) {
            insertLeaf(0, new Leaf<>());
            insert(0, 0, element);
            return;
        }
        long place = place(element, true);
        if (isAt(place, element)) {
            throw new IllegalStateException("already there: " + element);
        }
        int leaf = place == END ? leafCount - 1 : (int) (place >>> 32);
        int slot = place == END ? leaf(leaf).size : (int) place;
        if (slot == 0 && leaf > 0) {
            // Between two leaves: the end of the left one is as good a place, and leaves the directory as it is.
            leaf--;
            slot = leaf(leaf).size;
        }
        insert(leaf, slot, element);
    }

    /** Removes an element that compares equal to the given one; whether there was one. */
    boolean remove(E element) {
        long place = find(element);
        if (place == END) {
            return false;
        }
        int leaf = (int) (place >>> 32);
        Leaf<E> found = leaf(leaf);
        found.removeAt((int) place);
        size--;
        inexact -= element.exact() ? 0 : 1;
        if (found.size == 0) {
            removeLeaf(leaf);
        } else {
            repeatFirst(leaf);
            mergeIfSparse(leaf);
        }
        return true;
    }

    /** Puts an element in the place of the one that compares equal to it; whether there was one. */
    boolean replace(E element) {
        long place = find(element);
        if (place == END) {
            return false;
        }
        leaf((int) (place >>> 32)).set((int) place, element);
        return true;
    }

    private long find(E element) {
        if (size == 0) {
            return END;
        }
        long place = place(element, true);
        return isAt(place, element) ? place : END;
    }

    /** Whether what stands at a place compares equal; the keys nearly always tell without a look at the element. */
    private boolean isAt(long place, E element) {
        if (place == END) {
            return false;
        }
        Leaf<E> leaf = leaf((int) (place >>> 32));
        int slot = (int) place;
        return leaf.keys[slot] == element.key()
                && (leaf.holds(slot, element) || compare(leaf.get(slot), element, true) == 0);
    }

    private void insert(int leaf, int slot, E element) {
        Leaf<E> into = leaf(leaf);
        int at = slot;
        int target = leaf;
        if (into.size == LEAF_CAPACITY) {
            // Ascending insertions fill leaves instead of leaving each of them half empty.
            boolean appending = slot == LEAF_CAPACITY && leaf == leafCount - 1;
            int middle = appending ? LEAF_CAPACITY : LEAF_CAPACITY / 2;
            insertLeaf(leaf + 1, into.splitAt(middle));
            if (slot >= middle) {
                target = leaf + 1;
                at = slot - middle;
            } else {
                repeatFirst(leaf + 1);
            }
        }
        leaf(target).insertAt(at, element, element.word(skip));
        repeatFirst(target);
        size++;
        inexact += element.exact() ? 0 : 1;
    }

    private void mergeIfSparse(int leaf) {
        Leaf<E> small = leaf(leaf);
        if (small.size >= SPARSE) {
            return;
        }
        if (leaf + 1 < leafCount && small.size + leaf(leaf + 1).size <= COMFORTABLE) {
            small.append(leaf(leaf + 1));
            removeLeaf(leaf + 1);
        } else if (leaf > 0 && small.size + leaf(leaf - 1).size <= COMFORTABLE) {
            leaf(leaf - 1).append(small);
            removeLeaf(leaf);
        }
    }

    private void adaptSkip(E element) {
        if (size == 0) {
            skip = element.sharedPrefix(element);
            return;
        }
        int shared = element.sharedPrefix(leaf(0).get(0));
        if (shared < skip) {
            skip = shared;
            for (int i = 0; i < leafCount; i++) {
                leaf(i).takeWords(skip);
                repeatFirst(i);
            }
        }
    }

    // ---- the directory ----

    private void insertLeaf(int at, Leaf<E> leaf) {
        if (leafCount == leaves.length) {
            int length = leafCount + (leafCount >> 1) + 2;
            firstKeys = Arrays.copyOf(firstKeys, length);
            firstWords = Arrays.copyOf(firstWords, length);
            leaves = Arrays.copyOf(leaves, length);
        }
        moveTail(at, at + 1);
        leaves[at] = leaf;
        leafCount++;
    }

    private void removeLeaf(int at) {
        moveTail(at + 1, at);
        leafCount--;
        leaves[leafCount] = null;
    }

    private void moveTail(int from, int to) {
        int length = leafCount - from;
        System.arraycopy(firstKeys, from, firstKeys, to, length);
        System.arraycopy(firstWords, from, firstWords, to, length);
        System.arraycopy(leaves, from, leaves, to, length);
    }

    private void repeatFirst(int leaf) {
        Leaf<E> repeated = leaf(leaf);
        firstKeys[leaf] = repeated.keys[0];
        firstWords[leaf] = repeated.words[0];
    }

    @SuppressWarnings("NullAway") // below leafCount every slot of the directory is filled
    private Leaf<E> leaf(int index) {
        return leaves[index];
    }

    private long startOf(int leaf) {
        return leaf < leafCount ? packed(leaf, 0) : END;
    }

    private static long packed(int leaf, int slot) {
        return ((long) leaf << 32) | slot;
    }

    // ---- the exact search ----

    /** The place of the first element not below the given one, by amount alone or by amount and tie-break. */
    private long place(Ranked sought, boolean withTie) {
        long word = withTie ? sought.word(skip) : 0;
        int low = 0;
        int high = leafCount;
        int steps = 0;
        while (low < high) {
            int middle = (low + high) >>> 1;
            steps++;
            if (isBelow(firstKeys[middle], firstWords[middle], leaf(middle), 0, sought, word, withTie)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (low == 0) {
            probes.add(steps);
            return first();
        }
        Leaf<E> found = leaf(low - 1);
        int from = 1;
        int to = found.size;
        while (from < to) {
            int middle = (from + to) >>> 1;
            steps++;
            if (isBelow(found.keys[middle], found.words[middle], found, middle, sought, word, withTie)) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        probes.add(steps);
        return from < found.size ? packed(low - 1, from) : startOf(low);
    }

    private boolean isBelow(
            long key, long elementWord, Leaf<E> leaf, int slot, Ranked sought, long word, boolean withTie) {
        if (key != sought.key()) {
            return key < sought.key();
        }
        if (withTie && elementWord != word && inexact == 0 && sought.exact()) {
            return elementWord < word;
        }
        return compare(leaf.get(slot), sought, withTie) < 0;
    }

    private static int compare(Ranked element, Ranked sought, boolean withTie) {
        int byKey = Long.compare(element.key(), sought.key());
        if (byKey != 0) {
            return byKey;
        }
        int byAmount = element.compareAmount(sought);
        return byAmount != 0 || !withTie ? byAmount : element.compareTie(sought);
    }

    // ---- for tests ----

    int leafCount() {
        return leafCount;
    }

    /** Throws if an invariant of the layout does not hold. */
    void check() {
        int count = 0;
        Ranked before = null;
        for (int i = 0; i < leafCount; i++) {
            Leaf<E> leaf = leaf(i);
            leaf.check(skip);
            if (leaf.size == 0 || firstKeys[i] != leaf.keys[0] || firstWords[i] != leaf.words[0]) {
                throw new IllegalStateException("directory does not repeat leaf " + i);
            }
            for (int slot = 0; slot < leaf.size; slot++) {
                if (before != null && compare(before, leaf.get(slot), true) >= 0) {
                    throw new IllegalStateException("not ascending in leaf " + i + " at " + slot);
                }
                before = leaf.get(slot);
                count++;
            }
        }
        if (count != size) {
            throw new IllegalStateException("size " + size + " but " + count + " elements");
        }
    }
}
