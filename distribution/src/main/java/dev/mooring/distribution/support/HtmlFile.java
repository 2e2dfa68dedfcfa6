// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.support;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Texts as one page that a browser opens from a disk: it loads nothing and runs nothing. */
final class HtmlFile {
    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>%1$s</title>
            <style>
            :root { color-scheme: light dark; }
            body { font-family: system-ui, sans-serif; margin: 1rem; }
            summary { cursor: pointer; padding: 0.25rem 0; }
            pre { overflow: auto; max-height: 80vh; border-left: 3px solid gray; padding-left: 0.75rem; }
            </style>
            </head>
            <body>
            <h1>%1$s</h1>
            """;

    private HtmlFile() {}

    /**
     * Writes a new file, which must be readable by its owner alone already.
     *
     * @param title its heading
     * @param texts by name, in the order in which they are shown
     */
    static void writeTo(Path file, String title, Map<String, String> texts) throws IOException {
        try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            out.write(HEAD.formatted(escaped(title)));
            for (Map.Entry<String, String> text : texts.entrySet()) {
                out.write("<details><summary>" + escaped(text.getKey()) + "</summary><pre>");
                out.write(escaped(text.getValue()));
                out.write("</pre></details>\n");
            }
            out.write("</body>\n</html>\n");
        }
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
