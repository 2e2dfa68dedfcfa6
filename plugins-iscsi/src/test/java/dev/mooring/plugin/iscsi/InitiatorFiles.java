// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.FileFacts;
import dev.mooring.storage.spi.host.FileIdentity;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.Made;
import dev.mooring.storage.spi.host.PinnedPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The files of a machine in memory of the disk below a directory: {@code /etc} is {@code root/etc}. Every change is a step. */
// The anonymous objects are called by name, through Partial.
@SuppressWarnings({"UnusedMethod", "UnusedVariable"})
final class InitiatorFiles {
    private final Path root;
    private final Predicate<Path> covered;
    private final Runnable alive;
    private final Runnable step;

    /** Whether the kernel has no mount calls of Linux 5.12. */
    boolean oldKernel;

    /**
     * @param covered whether something is mounted at a path
     */
    InitiatorFiles(Path root, Predicate<Path> covered, Runnable alive, Runnable step) {
        this.root = root;
        this.covered = covered;
        this.alive = alive;
        this.step = step;
    }

    Path real(Path path) {
        return root.resolve(Path.of("/").relativize(path));
    }

    void link(Path place, Path to) {
        try {
            Files.createSymbolicLink(real(place), real(to));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Removes a link, if there is one. */
    void unlink(Path place) {
        try {
            if (Files.isSymbolicLink(real(place))) {
                Files.delete(real(place));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Outcome<PinnedPath> open(Path path, LinkRule links) {
        return Files.exists(real(path))
                ? Outcome.done(pinned(path))
                : Outcome.refused(Refusal.NOT_FOUND, "there is no " + path);
    }

    Outcome<Made> openOrMake(Path path, LinkRule links, FileKind kind, int mode) {
        try {
            if (kind == FileKind.DIRECTORY) {
                boolean isNew = !Files.exists(real(path));
                Files.createDirectories(real(path));
                return Outcome.done(new Made(pinned(path), isNew));
            }
            alive.run();
            Files.createFile(real(path));
            step.run();
            return Outcome.done(new Made(pinned(path), true));
        } catch (FileAlreadyExistsException e) {
            return Outcome.done(new Made(pinned(path), false));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private PinnedPath pinned(Path path) {
        return Partial.of(PinnedPath.class, new Pinned(path));
    }

    private final class Pinned {
        private final Path path;

        Pinned(Path path) {
            this.path = path;
        }

        void close() {
            // nothing is held
        }

        Outcome<Path> resolved() {
            return Outcome.done(path);
        }

        Outcome<FileFacts> facts() {
            FileKind kind = Files.isDirectory(real(path)) ? FileKind.DIRECTORY : FileKind.FILE;
            return Outcome.done(new FileFacts(kind, new FileIdentity("0", 1), 0755, 0, 0, 0, 0));
        }

        Outcome<List<String>> list(int limit) throws IOException {
            try (Stream<Path> files = Files.list(real(path))) {
                return Outcome.done(files.map(file -> String.valueOf(file.getFileName()))
                        .limit(limit)
                        .sorted()
                        .toList());
            }
        }

        /** Nothing is mounted on what is imagined, unless a test says so. */
        Outcome<PinnedPath> withoutMounts() {
            return oldKernel
                    ? Outcome.refused(Refusal.UNSUPPORTED, "open_tree: function not implemented")
                    : Outcome.done(pinned(path));
        }

        Outcome<PinnedPath> child(String name) {
            if (oldKernel && covered.test(path.resolve(name))) {
                return Outcome.refused(Refusal.IN_USE, path.resolve(name) + " is a mount point");
            }
            return open(path.resolve(name), LinkRule.REFUSE);
        }

        Outcome<Optional<byte[]>> readFile(String name, int limit) throws IOException {
            Path file = real(path.resolve(name));
            return Outcome.done(Files.exists(file) ? Optional.of(Files.readAllBytes(file)) : Optional.empty());
        }

        /** As the host: who dies between the two steps leaves a file of another name. */
        Outcome<Nothing> writeFile(String name, byte[] content, int mode) throws IOException {
            alive.run();
            Path temporary = real(path.resolve(".mooring-new-" + name));
            Files.write(temporary, content);
            step.run();
            Files.move(temporary, real(path.resolve(name)), StandardCopyOption.REPLACE_EXISTING);
            step.run();
            return Outcome.done();
        }

        Outcome<Nothing> removeFile(String name) throws IOException {
            alive.run();
            Files.deleteIfExists(real(path.resolve(name)));
            step.run();
            return Outcome.done();
        }
    }
}
