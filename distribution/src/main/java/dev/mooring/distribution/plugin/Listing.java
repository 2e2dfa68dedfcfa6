// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.plugin;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What lies in a directory. */
final class Listing {
    private Listing() {}

    /**
     * The entries whose names match, sorted.
     *
     * @throws IOException if it cannot be listed, be it from the beginning or half-way
     */
    static List<Path> of(Path directory, String glob) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, glob)) {
            return sorted(entries);
        }
    }

    static List<Path> sorted(Iterable<Path> entries) throws IOException {
        List<Path> all = new ArrayList<>();
        try {
            entries.forEach(all::add);
        } catch (DirectoryIteratorException halfWay) {
            throw Objects.requireNonNull(halfWay.getCause());
        }
        all.sort(null);
        return all;
    }
}
