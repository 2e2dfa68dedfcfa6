// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A file of the page; there is no secret in it.
 *
 * @param type its media type
 * @param content its text
 */
record PageFile(String type, String content) {
    private static final List<String> SCRIPTS =
            List.of("page.js", "acts.js", "dom.js", "graph.js", "lists.js", "map.js", "object.js", "overview.js");

    /** By path. */
    static Map<String, PageFile> all() {
        Map<String, PageFile> files = new HashMap<>();
        files.put("/ui/", read("index.html", "text/html; charset=utf-8"));
        files.put("/ui/page.css", read("page.css", "text/css; charset=utf-8"));
        SCRIPTS.forEach(name -> files.put("/ui/" + name, read(name, "text/javascript; charset=utf-8")));
        return Map.copyOf(files);
    }

    private static PageFile read(String name, String type) {
        try (InputStream in = Objects.requireNonNull(PageFile.class.getResourceAsStream(name), name)) {
            return new PageFile(type, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
