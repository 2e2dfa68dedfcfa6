// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.filesystem;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is noted of the file system of a volume (semantics/plugins §1.5 condition 3): that it is about to be made, or that it is there.
 *
 * @param pending whether making it was begun and is not known to have ended
 * @param type such as {@code ext4}
 * @param uuid its identity
 */
record FormatNote(boolean pending, String type, String uuid) {
    private static final Pattern TEXT = Pattern.compile("(pending:)?([a-z0-9_]+):([0-9a-fA-F-]+)");

    /** Reads what {@link #toString} wrote; empty for any other text. */
    static Optional<FormatNote> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? Optional.of(new FormatNote(matcher.group(1) != null, matcher.group(2), matcher.group(3)))
                : Optional.empty();
    }

    /** Whether it says that making that very file system was begun and is not known to have ended. */
    boolean begun(Superblock found) {
        return pending && found.is(uuid);
    }

    FormatNote done() {
        return new FormatNote(false, type, uuid);
    }

    @Override
    public String toString() {
        return (pending ? "pending:" : "") + type + ":" + uuid;
    }
}
