// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import dev.mooring.clusterstore.IdSource;
import java.util.Random;

/** Uids and the ends of generated names, from a seed and a counter. Confined to the world's thread. */
final class SeededIds implements IdSource {
    private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
    private static final int SUFFIX_LENGTH = 5;

    private final long seed;
    private long count;

    SeededIds(long seed) {
        this.seed = seed;
    }

    /** A uid in the form of version 4: what the seed gives, then how many there were before. */
    @Override
    public String newUid() {
        Random random = new Random(seed);
        String first = hex(random.nextInt() & 0xffffffffL, 8);
        String second = hex(random.nextInt(0x10000), 4);
        return first + "-" + second + "-4000-8000-" + hex(++count, 12);
    }

    /** The end of a generated name. */
    @Override
    public String newSuffix() {
        Random random = new Random(seed ^ ++count);
        StringBuilder suffix = new StringBuilder();
        for (int i = 0; i < SUFFIX_LENGTH; i++) {
            suffix.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return suffix.toString();
    }

    private static String hex(long number, int digits) {
        String text = Long.toHexString(number);
        return "0".repeat(Math.max(0, digits - text.length())) + text;
    }
}
