// SPDX-License-Identifier: Apache-2.0
package dev.mooring.store.embedded;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files that only their owner can read, whatever the directory is that they lie in. */
final class OwnersFile {
    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rw-------");

    private OwnersFile() {}

    /**
     * Makes an empty file if there is none, and lets only the owner read an existing file. If the file cannot be made, the code that opens it
     * says why.
     */
    static void make(Path file) throws IOException {
        try {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(OWNER));
        } catch (FileAlreadyExistsException e) {
            tighten(file);
        } catch (IOException e) {
            return;
        }
    }

    /** One of an earlier version may be readable for others. */
    static void tighten(Path file) throws IOException {
        if (Files.isRegularFile(file) && !OWNER.containsAll(Files.getPosixFilePermissions(file))) {
            Files.setPosixFilePermissions(file, OWNER);
        }
    }
}
