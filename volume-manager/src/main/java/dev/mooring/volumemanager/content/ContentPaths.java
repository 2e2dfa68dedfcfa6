// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.content;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which paths a volume's content may have (semantics/plugins §1.9). Pure. */
final class ContentPaths {
    private static final int MAX_BYTES = 4096;
    private static final int MAX_ELEMENT_BYTES = 255;

    private ContentPaths() {}

    /** The same path without empty and {@code .} elements, which mean nothing. */
    static String normalized(String path) {
        List<String> elements = new ArrayList<>();
        for (String element : path.split("/", -1)) {
            if (!element.isEmpty() && !element.equals(".")) {
                elements.add(element);
            }
        }
        return String.join("/", elements);
    }

    /**
     * What is wrong with a path.
     *
     * @param path as a user wrote it
     * @return for people; empty if it may be used
     */
    static Optional<String> problem(String path) {
        if (path.startsWith("/")) {
            return wrong(path, "must be relative");
        }
        if (path.indexOf('\0') >= 0) {
            return wrong(path.replace("\0", "\\0"), "must not contain NUL");
        }
        String normalized = normalized(path);
        if (normalized.isEmpty()) {
            return wrong(path, "must name a file");
        }
        if (bytes(path) > MAX_BYTES) {
            return wrong(path.substring(0, 40) + "…", "must have at most " + MAX_BYTES + " bytes");
        }
        for (String element : normalized.split("/", -1)) {
            if (element.equals("..")) {
                return wrong(path, "must not contain '..'");
            }
            if (bytes(element) > MAX_ELEMENT_BYTES) {
                return wrong(
                        element.substring(0, 40) + "…",
                        "must have at most " + MAX_ELEMENT_BYTES + " bytes in an element");
            }
        }
        // such names are the writer's own
        return normalized.startsWith("..") ? wrong(path, "must not start with '..'") : Optional.empty();
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static Optional<String> wrong(String path, String rule) {
        return Optional.of("path '" + path + "' " + rule);
    }
}
