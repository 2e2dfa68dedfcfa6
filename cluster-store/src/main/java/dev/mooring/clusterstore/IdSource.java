// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import java.util.UUID;
import java.util.random.RandomGenerator;
import org.apiguardian.api.API;

/** Where uids and the ends of generated names come from. Called under the store's lock, so an implementation need not be thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface IdSource {
    /** A uid that was never given before; never empty. */
    String newUid();

    /** Five lower-case letters and digits for the end of a generated name. */
    String newSuffix();

    /**
     * Ids from a source of randomness: the same seed gives the same ids.
     *
     * @param random the source; never null
     */
    static IdSource random(RandomGenerator random) {
        return new RandomIds(random);
    }

    /** Random uids (version 4) and suffixes of Kubernetes' alphabet. */
    final class RandomIds implements IdSource {
        /** Without vowels and what looks alike, as in Kubernetes. */
        private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

        private static final int SUFFIX_LENGTH = 5;

        private final RandomGenerator random;

        private RandomIds(RandomGenerator random) {
            this.random = random;
        }

        @Override
        public String newUid() {
            long high = (random.nextLong() & ~0xF000L) | 0x4000L;
            long low = (random.nextLong() & 0x3FFFFFFFFFFFFFFFL) | 0x8000000000000000L;
            return new UUID(high, low).toString();
        }

        @Override
        public String newSuffix() {
            StringBuilder suffix = new StringBuilder(SUFFIX_LENGTH);
            for (int i = 0; i < SUFFIX_LENGTH; i++) {
                suffix.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
            }
            return suffix.toString();
        }
    }
}
