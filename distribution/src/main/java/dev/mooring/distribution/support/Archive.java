// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.support;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorOutputStream;

/** Texts as a file: a page for browsers, or a tar.gz. */
final class Archive {
    private Archive() {}

    /**
     * Writes a new file that only its owner can read, whole or not at all: a page if its name ends in {@code .html}, else a tar.gz.
     *
     * @param top the heading, or the directory in the archive
     * @param texts by name below it
     * @throws IOException if it cannot be written or is there already
     */
    static void write(Path file, String top, Map<String, String> texts) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        Files.deleteIfExists(part);
        try {
            Files.createFile(part, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            if (file.toString().endsWith(".html")) {
                HtmlFile.writeTo(part, top, texts);
            } else {
                writeTo(part, top, texts);
            }
            Files.move(part, file); // which takes the place of nothing
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private static void writeTo(Path file, String top, Map<String, String> texts) throws IOException {
        try (OutputStream out = Files.newOutputStream(file);
                OutputStream buffered = new BufferedOutputStream(out);
                OutputStream gzip = new GzipCompressorOutputStream(buffered);
                TarArchiveOutputStream tar = new TarArchiveOutputStream(gzip, StandardCharsets.UTF_8.name())) {
            tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
            tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
            for (Map.Entry<String, String> text : texts.entrySet()) {
                byte[] bytes = text.getValue().getBytes(StandardCharsets.UTF_8);
                TarArchiveEntry entry = new TarArchiveEntry(top + "/" + text.getKey());
                entry.setSize(bytes.length);
                entry.setMode(0600);
                tar.putArchiveEntry(entry);
                tar.write(bytes);
                tar.closeArchiveEntry();
            }
        }
    }
}
