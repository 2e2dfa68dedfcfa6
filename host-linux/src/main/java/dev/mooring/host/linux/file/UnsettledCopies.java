// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.file;

import dev.mooring.host.linux.kernel.CopyCalls;
import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.Errno;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Copied files that do not have their original's time yet. By its time a later attempt knows that a file is whole, so a file is given it only
 * when the content is on the disk: a loss of power may keep time and size of a file, and lose what was written to it. Many files are written
 * out at once, since a disk needs about as long for one. For one walk.
 */
final class UnsettledCopies implements AutoCloseable {
    private static final int MOST_FILES = 128;
    private static final long MOST_BYTES = 64L << 20;

    private final Kernel kernel;
    private final CopyCalls calls;
    private final Deque<Unsettled> copies = new ArrayDeque<>();
    private long bytes;

    private record Unsettled(Descriptor copy, FileTime time) {}

    UnsettledCopies(Kernel kernel) {
        this.kernel = kernel;
        this.calls = new CopyCalls(kernel);
    }

    /**
     * Takes in a file that has everything but its time. It is held again.
     *
     * @param readable a directory of the file system, open for reading
     * @param written how many bytes of it may not be on the disk
     */
    void add(Descriptor readable, Descriptor copy, FileTime time, long written) throws KernelException {
        int flags = Kernel.O_PATH;
        copies.add(new Unsettled(kernel.open(Kernel.CURRENT_DIRECTORY, Kernel.name(copy.link()), flags, 0), time));
        bytes += written;
        if (copies.size() >= MOST_FILES || bytes >= MOST_BYTES) {
            settle(readable);
        }
    }

    /** Writes out all files and gives them their times. */
    void settle(Descriptor readable) throws KernelException {
        if (!copies.isEmpty()) {
            calls.flushFileSystem(readable);
        }
        bytes = 0;
        while (!copies.isEmpty()) {
            Unsettled next = copies.remove();
            try (Descriptor copy = next.copy()) {
                setTime(copy, next.time());
            }
        }
    }

    /** Lets go of files that a later attempt has to copy again. */
    @Override
    public void close() {
        copies.forEach(unsettled -> unsettled.copy().close());
        copies.clear();
    }

    /** When a file was changed. */
    static FileTime timeOf(Descriptor file) throws KernelException {
        try {
            return Files.getLastModifiedTime(Path.of(file.link()));
        } catch (IOException e) {
            throw new KernelException(Errno.EIO, "stat " + e.getMessage());
        }
    }

    /** Sets when a file was changed, to the microsecond. */
    static void setTime(Descriptor file, FileTime time) throws KernelException {
        try {
            Files.setLastModifiedTime(Path.of(file.link()), time);
        } catch (IOException e) {
            throw new KernelException(Errno.EIO, "utimensat " + e.getMessage());
        }
    }
}
