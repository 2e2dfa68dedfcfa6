// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.codec;

import org.jspecify.annotations.Nullable;

/**
 * Lets equal keys of many objects be one text, as long as they are few: the objects of a cluster have some hundred different keys, and the
 * library's own table takes most of the time of reading an object with 100,000. What is looked up in vain takes another's place, so no
 * sender fills it for good. Thread-safe: a text that another thread has put there is complete, and one that is missed is only not shared.
 */
final class SharedNames {
    private static final int PLACES = 1 << 12;

    private final @Nullable String[] names = new String[PLACES];

    /** An equal text. */
    String shared(String name) {
        int hash = name.hashCode();
        int place = (hash ^ (hash >>> 12) ^ (hash >>> 24)) & (PLACES - 1);
        String known = names[place];
        if (name.equals(known)) {
            return known;
        }
        names[place] = name;
        return name;
    }
}
