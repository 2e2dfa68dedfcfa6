// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import java.util.Locale;
import java.util.Optional;

/** What becomes of a directory whose volume is deleted: decided when it is made, never later (semantics/plugins §2.9). */
enum OnDelete {
    /** It is destroyed. */
    DELETE,
    /** It stays as it is. */
    RETAIN,
    /** It stays under another name. */
    ARCHIVE;

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<OnDelete> of(String text) {
        for (OnDelete value : values()) {
            if (value.text().equals(text)) {
                return Optional.of(value);
            }
        }
        return Optional.empty();
    }
}
