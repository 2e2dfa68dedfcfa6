// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

/** What plugins say to people: it is written into objects and events, which a cluster refuses if they are too large. */
final class Words {
    private static final int LONGEST = 4096;

    private Words() {}

    static String kept(String words) {
        if (words.length() <= LONGEST) {
            return words;
        }
        int end = LONGEST - 1;
        return words.substring(0, Character.isHighSurrogate(words.charAt(end - 1)) ? end - 1 : end) + "…";
    }
}
