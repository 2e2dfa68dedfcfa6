// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import java.util.regex.Pattern;

/** Words of a command that people copy into a shell. Names come from a dump of unknown origin. */
final class ShellWords {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/-]*");

    private ShellWords() {}

    /** The word, in quotes if a shell could take it for more than a word. */
    static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : inQuotes(word);
    }

    static String inQuotes(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
