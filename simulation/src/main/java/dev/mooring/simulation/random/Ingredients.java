// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import java.util.List;
import java.util.Map;

/**
 * What there is in some worlds only. A seed decides it apart from everything else, so that a world without an ingredient is what it would
 * be if there were no such thing.
 *
 * @param farDisks whether some disks are those of a driver that an external attacher serves
 */
record Ingredients(boolean farDisks) {
    private static final long APART = 0x5851f42d4c957f2dL;

    /** What there is in the world of a seed. */
    static Ingredients of(long seed) {
        Chance chance = new Chance(seed * APART + 1);
        return new Ingredients(chance.oneIn(3));
    }

    /** Every other disk, the one of the races among them. */
    private boolean isFar(int disk) {
        return farDisks && disk % 2 == 1;
    }

    /** What a volume's spec has besides what every volume has. */
    Map<String, Object> source(int disk) {
        return isFar(disk)
                ? Texts.map("csi", Texts.map("driver", Texts.FAR, "volumeHandle", "vol-" + disk))
                : Texts.map();
    }

    /** The driver of a disk. */
    String driver(int disk) {
        return isFar(disk) ? Texts.FAR : Texts.DRIVER;
    }

    /** The driver of some disk. */
    String driver(Chance chance) {
        return farDisks && chance.oneIn(2) ? Texts.FAR : Texts.DRIVER;
    }

    /** The processes besides controllers and agents. */
    List<String> sidecars() {
        return farDisks ? List.of("attacher") : List.of();
    }
}
