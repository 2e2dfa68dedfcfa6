// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.kernel;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.util.Optional;

/** What may be a name, or a way down, given by a plugin. The kernel enforces the same; this gives the better message. */
public final class Elements {
    private Elements() {}

    /** Whether the text is one element of a path. */
    public static boolean isName(String text) {
        return isElement(text) && text.indexOf('/') < 0;
    }

    /** Whether the text is one or more elements, without a leading or trailing slash. */
    public static boolean isWayDown(String text) {
        if (text.isEmpty() || text.startsWith("/") || text.endsWith("/")) {
            return false;
        }
        for (String element : text.split("/", -1)) {
            if (!isElement(element)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isElement(String text) {
        return !text.isEmpty() && !text.equals(".") && !text.equals("..") && text.indexOf('\0') < 0;
    }

    /** The refusal of an invalid name; empty for a valid one. */
    public static <T> Optional<Outcome<T>> refuse(String name) {
        return isName(name)
                ? Optional.empty()
                : Optional.of(Outcome.refused(Refusal.INVALID, "'" + name + "' is not the name of a file"));
    }
}
