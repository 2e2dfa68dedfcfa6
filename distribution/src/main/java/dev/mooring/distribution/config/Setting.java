// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.config;

import java.util.List;

/**
 * One value of a configuration file.
 *
 * @param key the option's name without dashes
 * @param value as it would be said on the command line; several values of one option on lines of their own
 * @param line where its key stands, from 1
 * @param pairs the several values; empty for an option that takes one
 */
record Setting(String key, String value, int line, List<Pair> pairs) {
    /** Copies the list. */
    Setting {
        pairs = List.copyOf(pairs);
    }
}
