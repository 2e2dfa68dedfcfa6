// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit;

import java.util.Collection;
import java.util.List;

/** Names that a test may use: an unknown one is refused with those that are known. */
final class Vocabulary {
    private Vocabulary() {}

    /**
     * Refuses a name that is not known.
     *
     * @param what what is named, such as {@code operation}
     * @throws IllegalArgumentException with all known names
     */
    static void require(String what, String name, Collection<String> known) {
        if (!known.contains(name)) {
            String names = known.isEmpty() ? "none" : String.join(", ", List.copyOf(known));
            throw new IllegalArgumentException("there is no " + what + " '" + name + "'; there are: " + names);
        }
    }
}
