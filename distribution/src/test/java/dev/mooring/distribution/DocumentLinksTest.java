// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every link of the documents that stays within the repository leads somewhere. */
class DocumentLinksTest {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern CODE = Pattern.compile("(?s)```.*?```|`[^`\n]*`");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*)$");
    private static final int DOCUMENTS_AT_LEAST = 10;

    @Test
    void relativeLinksResolve() throws IOException {
        List<Path> documents = documents();
        Set<String> broken = new TreeSet<>();
        for (Path document : documents) {
            Matcher link = LINK.matcher(CODE.matcher(Reactor.read(document)).replaceAll(""));
            while (link.find()) {
                if (!resolves(document, link.group(1))) {
                    broken.add(Reactor.ROOT.relativize(document) + ": " + link.group(1));
                }
            }
        }
        assertThat(documents).hasSizeGreaterThanOrEqualTo(DOCUMENTS_AT_LEAST);
        assertThat(broken).as("links that lead nowhere").isEmpty();
    }

    private static boolean resolves(Path document, String link) {
        if (link.matches("[a-z]+:.*")) {
            return true;
        }
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty()
                ? document
                : document.resolveSibling(parts[0]).normalize();
        boolean there = target.startsWith(Reactor.ROOT) && Files.exists(target);
        return there
                && (parts.length == 1
                        || !target.toString().endsWith(".md")
                        || anchors(Reactor.read(target)).contains(parts[1]));
    }

    /** As GitHub makes them of headings. */
    private static Set<String> anchors(String text) {
        return HEADING.matcher(text)
                .results()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    private static List<Path> documents() throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(Reactor.ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                String name = String.valueOf(directory.getFileName());
                boolean skipped = name.equals("target") || name.equals(".git") || name.equals("node_modules");
                return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(".md")) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) {
                throw new UncheckedIOException(failure);
            }
        });
        return found;
    }
}
