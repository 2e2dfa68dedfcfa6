// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Files that say what we promised: a change of them is seen in review, never by accident. */
final class Golden {
    private static final boolean UPDATE = Boolean.getBoolean("golden.update");

    private Golden() {}

    static void compare(String kind, String name, String actual) {
        Path file = directory(kind).resolve(name + ".txt");
        if (UPDATE) {
            write(file, actual);
            return;
        }
        assertThat(actual)
                .as(
                        "etc/golden/%s/%s.txt; if the change is meant, in a clean clone: mvn verify -Dgolden.update=true",
                        kind, name)
                .isEqualTo(Files.exists(file) ? Reactor.read(file) : "");
    }

    /** A golden file without a module promises what no module keeps. */
    static void nothingElse(String kind, Set<String> names) {
        Set<String> left = Reactor.filesBelow(directory(kind), ".txt").stream()
                .map(file -> file.getFileName().toString().replace(".txt", ""))
                .filter(name -> !names.contains(name))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(left)
                .as("files in etc/golden/%s that belong to no module", kind)
                .isEmpty();
    }

    private static Path directory(String kind) {
        return Reactor.ROOT.resolve("etc/golden").resolve(kind);
    }

    private static void write(Path file, String text) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
