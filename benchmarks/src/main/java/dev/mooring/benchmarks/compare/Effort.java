// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.compare;

import java.util.Locale;

/** How much is done to measure something. */
public enum Effort {
    /** As often as figures need that are to be quoted. */
    FULL,
    /** Less often and shorter, for an order of magnitude. */
    QUICK,
    /** Once, with less of everything: times mean nothing, what is counted is still exact. */
    ONCE;

    /** As an argument; empty for {@link #FULL}. */
    public String argument() {
        return this == FULL ? "" : "--" + name().toLowerCase(Locale.ROOT);
    }

    /** One of three numbers. */
    public int choose(int full, int quick, int once) {
        return switch (this) {
            case FULL -> full;
            case QUICK -> quick;
            case ONCE -> once;
        };
    }

    /** Many volumes or pairs. */
    public int many() {
        return choose(100_000, 100_000, 10_000);
    }

    /** As many volumes as the largest clusters have. */
    public int most() {
        return 10 * many();
    }

    /** How names say a number: {@code 1k}, {@code 1M}. */
    public static String label(int number) {
        return number < 1_000 ? "" + number : number < 1_000_000 ? number / 1_000 + "k" : number / 1_000_000 + "M";
    }
}
