// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apiguardian.api.API;

/**
 * Reads the text of {@code /proc/self/mountinfo} (semantics/plugins §1.2): fields separated by blanks, octal escapes, optional
 * fields up to a hyphen, the mark of a deleted root. Pure.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class MountInfoParser {
    private static final String DELETED = "//deleted";

    private MountInfoParser() {}

    /**
     * Reads the whole text.
     *
     * @param text lines as the kernel writes them
     * @return the table; a line that is no entry is left out, since one strange line must not hide all others
     */
    public static MountTable parse(String text) {
        return new MountTable(lines(text).stream()
                .map(MountInfoParser::line)
                .flatMap(Optional::stream)
                .toList());
    }

    /** Splits a text of the kernel into lines. Only a line feed ends one: the kernel escapes it in a name, and a carriage return not. */
    static List<String> lines(String text) {
        return Arrays.asList(text.split("\n", -1));
    }

    /** Reads one line; empty if it is no entry. */
    static Optional<MountEntry> line(String line) {
        List<String> fields = Arrays.asList(line.split(" ", -1));
        int hyphen = fields.indexOf("-");
        if (hyphen < 6 || fields.size() < hyphen + 4) {
            return Optional.empty();
        }
        try {
            return Optional.of(entry(fields, hyphen));
        } catch (NumberFormatException notAnEntry) {
            return Optional.empty();
        }
    }

    private static MountEntry entry(List<String> fields, int hyphen) {
        String root = unescape(fields.get(3));
        boolean deleted = root.endsWith(DELETED);
        return new MountEntry(
                Integer.parseInt(fields.get(0)),
                Integer.parseInt(fields.get(1)),
                fields.get(2),
                deleted ? root.substring(0, root.length() - DELETED.length()) : root,
                deleted,
                path(unescape(fields.get(4))),
                splitOptions(unescape(fields.get(5))),
                tagged(fields.subList(6, hyphen), "shared:"),
                tagged(fields.subList(6, hyphen), "master:"),
                unescape(fields.get(hyphen + 1)),
                unescape(fields.get(hyphen + 2)),
                splitOptions(unescape(fields.get(hyphen + 3))));
    }

    /** A text of {@link dev.mooring.storage.spi.host.Sysfs}, which has a character for each byte, as paths are written. */
    static String decoded(String bytes) {
        return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), Kernel.PATHS);
    }

    /** The path that is meant by a name. */
    static Path path(String name) {
        try {
            return Path.of(name);
        } catch (InvalidPathException notExpressible) {
            // a name that the locale cannot express: no path of ours can mean it, yet the entry has to stay visible
            return Path.of(name.replaceAll("[^\\x20-\\x7e]", "?"));
        }
    }

    private static OptionalLong tagged(List<String> optional, String tag) {
        for (String field : optional) {
            if (field.startsWith(tag)) {
                return OptionalLong.of(Long.parseLong(field.substring(tag.length())));
            }
        }
        return OptionalLong.empty();
    }

    /** Replaces a backslash and three octal digits by the character. */
    static String unescape(String field) {
        if (field.indexOf('\\') < 0) {
            return field;
        }
        StringBuilder text = new StringBuilder(field.length());
        for (int i = 0; i < field.length(); i++) {
            if (field.charAt(i) == '\\' && octal(field, i + 1)) {
                text.append((char) Integer.parseInt(field.substring(i + 1, i + 4), 8));
                i += 3;
            } else {
                text.append(field.charAt(i));
            }
        }
        return text.toString();
    }

    private static boolean octal(String field, int from) {
        return field.length() >= from + 3
                && field.chars().skip(from).limit(3).allMatch(c -> c >= '0' && c <= '7')
                && field.charAt(from) <= '3';
    }

    /** Splits at commas, but not within double quotes. */
    static List<String> splitOptions(String options) {
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < options.length(); i++) {
            char c = options.charAt(i);
            quoted ^= c == '"';
            if (c == ',' && !quoted) {
                parts.add(part.toString());
                part.setLength(0);
            } else {
                part.append(c);
            }
        }
        parts.add(part.toString());
        return parts;
    }
}
