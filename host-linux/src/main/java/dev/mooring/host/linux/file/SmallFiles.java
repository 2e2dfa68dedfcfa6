// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.file;

import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.Errno;
import dev.mooring.host.linux.kernel.FileStatus;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.FileKind;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;

/** Reading and durable writing of files that fit in memory. */
final class SmallFiles {
    private static final String TEMPORARY = ".mooring-new-";
    private static final int LONGEST_NAME = 255;

    private SmallFiles() {}

    static Outcome<Optional<byte[]>> read(Kernel kernel, Descriptor directory, String name, int limit)
            throws KernelException {
        try (Descriptor found =
                kernel.open(directory.number(), Kernel.name(name), Kernel.O_PATH, 0, Kernel.STRICTLY_BELOW)) {
            // the kind is looked at before the file is opened for reading: opening a device or a fifo may do something
            FileStatus status = kernel.status(found);
            if (status.kind() != FileKind.FILE) {
                return Outcome.refused(Refusal.CORRUPT, name + " is not a regular file");
            }
            try (Descriptor file =
                    kernel.open(Kernel.CURRENT_DIRECTORY, Kernel.name(found.link()), Kernel.O_RDONLY, 0)) {
                return content(kernel, file, name, limit);
            }
        }
    }

    private static Outcome<Optional<byte[]>> content(Kernel kernel, Descriptor file, String name, int limit)
            throws KernelException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        byte[] buffer = new byte[8192];
        int count = kernel.read(file, buffer);
        while (count > 0 && content.size() <= limit) {
            content.write(buffer, 0, count);
            count = kernel.read(file, buffer);
        }
        return content.size() > limit
                ? Outcome.refused(Refusal.CORRUPT, name + " has more than " + limit + " bytes")
                : Outcome.done(Optional.of(content.toByteArray()));
    }

    static Outcome<Nothing> write(Kernel kernel, Descriptor directory, String name, byte[] content, int mode)
            throws KernelException {
        byte[] temporary = temporary(name);
        removeLeftOver(kernel, directory, temporary);
        try (Descriptor file = NewFiles.makeFile(kernel, directory, temporary, mode)) {
            kernel.writeAll(file, content);
            kernel.flush(file);
            kernel.rename(directory.number(), temporary, directory.number(), Kernel.name(name), 0);
        } catch (KernelException failure) {
            // a refusal changes nothing: on a full disk the beginning of a file takes room, and no process looks for it
            removeAfter(failure, kernel, directory, temporary);
            throw failure;
        }
        kernel.flushDirectory(directory);
        return Outcome.done();
    }

    private static void removeAfter(KernelException failure, Kernel kernel, Descriptor directory, byte[] temporary) {
        try {
            removeLeftOver(kernel, directory, temporary);
        } catch (KernelException e) {
            failure.addSuppressed(e);
        }
    }

    /** The same for the same file, so that what a crash leaves is found; a name may be as long as the file system allows. */
    private static byte[] temporary(String name) {
        byte[] whole = Kernel.name(TEMPORARY + name);
        // names end with a zero byte here
        return whole.length - 1 <= LONGEST_NAME
                ? whole
                : Kernel.name(TEMPORARY + UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)));
    }

    private static void removeLeftOver(Kernel kernel, Descriptor directory, byte[] temporary) throws KernelException {
        try {
            kernel.unlink(directory.number(), temporary, 0);
        } catch (KernelException e) {
            if (!e.is(Errno.ENOENT)) {
                throw e;
            }
        }
    }
}
