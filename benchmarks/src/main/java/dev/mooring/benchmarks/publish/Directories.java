// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.publish;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The directories of one run, all below one temporary directory.
 *
 * @param base the temporary directory
 */
record Directories(Path base) implements AutoCloseable {
    static Directories create() throws IOException {
        Path base = Files.createTempDirectory("mooring-publish-").toRealPath();
        for (String name : List.of("disks", "kubelet", "state")) {
            Files.createDirectory(base.resolve(name));
        }
        return new Directories(base);
    }

    /** What a volume shows. */
    Path disk(String volume) {
        try {
            return Files.createDirectories(base.resolve("disks").resolve(volume));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path root() {
        return base.resolve("kubelet");
    }

    Path state() {
        return base.resolve("state");
    }

    Path orphans() {
        return base.resolve("orphans");
    }

    Path records() {
        return base.resolve("records");
    }

    /** Deletes everything; called after all mounts are gone, and never follows a link. */
    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.walk(base)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
