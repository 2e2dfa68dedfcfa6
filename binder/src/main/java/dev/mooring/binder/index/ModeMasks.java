// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import dev.mooring.storage.model.AccessMode;
import java.util.List;

/**
 * Sets of access modes as four bits, and which of them contain, or are contained in, which.
 *
 * <p>All sixteen sets are covered, though validation admits eight (ReadWriteOncePod stands alone, no set is empty): what a store lets
 * through must not fall through the index.
 */
final class ModeMasks {
    static final int COUNT = 16;

    private static final int[] NONE = {};

    /**
     * {@code SUPERSETS[mask]}: the sets that contain {@code mask}, narrower ones first; those of one size in ascending order of the
     * bits, which is RWO+ROX, RWO+RWX, ROX+RWX (semantics T1, T2).
     */
    private static final int[][] SUPERSETS = new int[COUNT][];

    /** {@code SUBSETS[mask]}: the sets contained in {@code mask}, in ascending order of the bits. */
    private static final int[][] SUBSETS = new int[COUNT][];

    static {
        for (int mask = 0; mask < COUNT; mask++) {
            int[] supersets = new int[1 << (4 - Integer.bitCount(mask))];
            int[] subsets = new int[1 << Integer.bitCount(mask)];
            int above = 0;
            int below = 0;
            for (int modes = 0; modes <= 4; modes++) {
                for (int other = 0; other < COUNT; other++) {
                    if (Integer.bitCount(other) == modes && contains(other, mask)) {
                        supersets[above++] = other;
                    }
                }
            }
            for (int other = 0; other < COUNT; other++) {
                if (contains(mask, other)) {
                    subsets[below++] = other;
                }
            }
            SUPERSETS[mask] = supersets;
            SUBSETS[mask] = subsets;
        }
    }

    private ModeMasks() {}

    /** The sets that contain {@code mask}, as described at the table; not to be changed. */
    static int[] supersetsOf(int mask) {
        return mask < COUNT ? SUPERSETS[mask] : NONE;
    }

    /** The sets contained in {@code mask}; not to be changed. */
    static int[] subsetsOf(int mask) {
        return SUBSETS[mask];
    }

    static boolean contains(int superset, int subset) {
        return (superset & subset) == subset;
    }

    /** How many modes a set has: the tier that its volumes belong to. */
    static int tierOf(int mask) {
        return Integer.bitCount(mask);
    }

    /** The modes that a volume offers; one that this version does not know is left out. */
    static int offered(List<AccessMode> modes) {
        return of(modes) & (COUNT - 1);
    }

    /** The modes that a claim wants; with one that this version does not know it is contained in no set of a volume. */
    static int wanted(List<AccessMode> modes) {
        return of(modes);
    }

    private static int of(List<AccessMode> modes) {
        int mask = 0;
        // By position: an iterator would be garbage.
        for (int i = 0; i < modes.size(); i++) {
            mask |= bit(modes.get(i));
        }
        return mask;
    }

    private static int bit(AccessMode mode) {
        return switch (mode) {
            case READ_WRITE_ONCE -> 1;
            case READ_ONLY_MANY -> 2;
            case READ_WRITE_MANY -> 4;
            case READ_WRITE_ONCE_POD -> 8;
            case UNKNOWN -> COUNT;
        };
    }
}
