// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest;

import dev.mooring.apiserver.rest.exchange.Answer;
import dev.mooring.apiserver.rest.exchange.ApiRequest;
import dev.mooring.apiserver.rest.exchange.Parameters;
import dev.mooring.apiserver.rest.exchange.RestFailure;
import dev.mooring.storage.document.Document;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/** Copies of the objects, made while the server runs: {@code POST /mooring/backup}. One at a time. */
public final class Backups {
    private final Path directory;
    private final Maker maker;

    /** Copies the objects to a file that does not exist. */
    @FunctionalInterface
    public interface Maker {
        /** Fails with the reason if it cannot be done. */
        void copyTo(Path file) throws IOException;
    }

    /**
     * Takes from others what they may still read of copies that an earlier version made; a file that refuses stays as it is.
     *
     * @param directory where the copies are put; made with the first one, for its owner alone
     */
    public Backups(Path directory, Maker maker) {
        this.directory = directory;
        this.maker = maker;
        tighten();
    }

    /** The directory is closed to others as well: nothing hangs on it. */
    private void tighten() {
        try (DirectoryStream<Path> copies = Files.newDirectoryStream(directory, "cluster-*.db")) {
            for (Path copy : copies) {
                if (Files.isRegularFile(copy, LinkOption.NOFOLLOW_LINKS)) {
                    Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rw-------"));
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return; // none was made, or another program's file lies there
        }
    }

    synchronized Answer make(ApiRequest request) {
        if (!request.method().equals("POST")) {
            throw RestFailure.methodNotAllowed();
        }
        Parameters.requireNone(request, "dryRun");
        try {
            Files.createDirectories(directory);
            // Secrets lie in it.
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
            Path file = next();
            maker.copyTo(file);
            return Answer.json(201, Document.of(Map.of("kind", "Backup", "file", file.toString())));
        } catch (IOException e) {
            throw RestFailure.of(507, "InsufficientStorage", "no backup was made: " + e.getMessage());
        }
    }

    private Path next() {
        int number = 1;
        while (Files.exists(directory.resolve(name(number)))) {
            number++;
        }
        return directory.resolve(name(number));
    }

    private static String name(int number) {
        return String.format("cluster-%06d.db", number);
    }
}
