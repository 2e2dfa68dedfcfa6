// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/** Small files that have to outlive a loss of power: keys, tokens, names. */
public final class PrivateFile {
    private PrivateFile() {}

    /**
     * Writes a file that only its owner can ever read, whole or not at all. When this returns, it lasts.
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
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(draft);
        }
        try (FileChannel directory = FileChannel.open(parent, StandardOpenOption.READ)) {
            directory.force(true); // the name, too
        }
    }
}
