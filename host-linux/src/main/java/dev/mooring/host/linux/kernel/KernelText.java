// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.kernel;

import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** How the kernel writes names in its text files (semantics/plugins §1.2). Pure. */
public final class KernelText {
    private KernelText() {}

    /** Splits a text of the kernel into lines. Only a line feed ends one: the kernel escapes it in a name, and a carriage return not. */
    public static List<String> lines(String text) {
        return Arrays.asList(text.split("\n", -1));
    }

    /** A text of {@link dev.mooring.storage.spi.host.Sysfs}, which has a character for each byte, as paths are written. */
    public static String decoded(String bytes) {
        return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), Kernel.PATHS);
    }

    /** The path that is meant by a name. */
    public static Path path(String name) {
        try {
            return Path.of(name);
        } catch (InvalidPathException notExpressible) {
            // a name that the locale cannot express: no path of ours can mean it, yet the entry has to stay visible
            return Path.of(name.replaceAll("[^\\x20-\\x7e]", "?"));
        }
    }

    /** Replaces a backslash and three octal digits by the character. */
    public static String unescape(String field) {
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
}
