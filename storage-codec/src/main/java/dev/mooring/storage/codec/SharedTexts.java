// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.codec;

import org.jspecify.annotations.Nullable;

/**
 * Gives out one text for equal ones, as far as it remembers them. A few keys and names (of namespaces, classes, nodes, finalizers) stand in nearly
 * every object. Memory is bounded: a text makes another of the same place forgotten, so that what stands everywhere is kept now and then
 * twice. Thread-safe: a text is immutable, and a place that threads write at once holds one of theirs.
 */
final class SharedTexts {
    private static final int PLACES = 1 << 14;
    private static final int LONGEST = 64;

    private final @Nullable String[] places = new @Nullable String[PLACES];

    String one(String text) {
        if (text.length() > LONGEST) {
            return text;
        }
        int hash = text.hashCode();
        int place = (hash ^ (hash >>> 14) ^ (hash >>> 28)) & (PLACES - 1);
        String known = places[place];
        if (known != null && known.equals(text)) {
            return known;
        }
        places[place] = text;
        return text;
    }
}
