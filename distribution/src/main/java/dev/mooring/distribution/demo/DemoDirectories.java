// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The directories of one demonstration, all below one temporary directory.
 *
 * @param base the temporary directory
 * @param disk what the volume shows
 * @param root below it volumes are mounted for pods
 * @param state what the host keeps
 */
record DemoDirectories(Path base, Path disk, Path root, Path state) implements AutoCloseable {
    static DemoDirectories create() {
        try {
            Path base = Files.createTempDirectory(
                            "mooring-demo-",
                            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")))
                    .toRealPath();
            Path disk = Files.createDirectory(base.resolve("disk"));
            Path root = Files.createDirectory(base.resolve("kubelet"));
            Path state = Files.createDirectory(base.resolve("state"));
            return new DemoDirectories(base, disk, root, state);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make a temporary directory: " + e.getMessage(), e);
        }
    }

    /** Deletes everything; called after all mounts are gone, and never follows a link. */
    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(base)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + base + ": " + e.getMessage(), e);
        }
    }
}
