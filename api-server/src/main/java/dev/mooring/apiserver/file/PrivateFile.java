// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/** Small files that have to outlive a loss of power: keys, tokens, names. */
public final class PrivateFile {
    private PrivateFile() {}

    /**
     * Writes a file that only its owner can ever read, whole or not at all; a file that cannot be replaced is written over. When this
     * returns, it lasts.
     *
     * @throws IOException if it cannot be written; then what was there before is there still
     */
    public static void write(Path file, byte[] content) throws IOException {
        Path parent = Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(file);
        Path draft = Files.createTempFile(
                parent,
                "." + file.getFileName(),
                ".new",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
                ByteBuffer left = ByteBuffer.wrap(content);
                while (left.hasRemaining()) {
                    channel.write(left);
                }
                channel.force(true);
            }
            try {
                Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } catch (FileSystemException failure) {
                overwrite(file, content, failure);
            }
        } finally {
            Files.deleteIfExists(draft);
        }
        try (FileChannel directory = FileChannel.open(parent, StandardOpenOption.READ)) {
            directory.force(true); // the name, too
        }
    }

    /**
     * The kernel replaces no file on whose copy something is mounted: the file is hidden from a pod that has a directory above it. What is in
     * it is written over, in one call.
     */
    private static void overwrite(Path file, byte[] content, FileSystemException failure) throws IOException {
        boolean mayBeBusy = failure.getClass().equals(FileSystemException.class)
                && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
        if (!mayBeBusy) {
            throw failure;
        }
        try {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                ByteBuffer left = ByteBuffer.wrap(content);
                while (left.hasRemaining()) {
                    channel.write(left);
                }
                channel.truncate(content.length);
                channel.force(true);
            }
        } catch (IOException e) {
            failure.addSuppressed(e);
            throw failure;
        }
    }
}
