// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.host;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** What may be a name, or a way down, given by a plugin: the same as on a real machine. */
final class PathElements {
    private static final int LONGEST = 255;

    private PathElements() {}

    /** The refusal of what is no name of a file; empty if it is one. */
    static <T> Optional<Outcome<T>> refuse(String name) {
        return isElement(name) && name.indexOf('/') < 0
                ? Optional.empty()
                : Optional.of(Outcome.refused(Refusal.INVALID, "'" + name + "' is not the name of a file"));
    }

    /** The refusal of what is no way down: one or more names, without a slash before or after them. */
    static <T> Optional<Outcome<T>> refuseWay(String way) {
        for (String element : way.split("/", -1)) {
            if (!isElement(element)) {
                return Optional.of(Outcome.refused(Refusal.INVALID, "'" + way + "' is not a way down"));
            }
        }
        return Optional.empty();
    }

    private static boolean isElement(String text) {
        return !text.isEmpty()
                && !text.equals(".")
                && !text.equals("..")
                && text.indexOf('\0') < 0
                && text.getBytes(StandardCharsets.UTF_8).length <= LONGEST;
    }
}
