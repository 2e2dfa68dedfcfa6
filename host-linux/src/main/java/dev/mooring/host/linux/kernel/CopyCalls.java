// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.kernel;

import com.sun.jna.LastErrorException;
import dev.mooring.host.linux.kernel.Architecture.Call;
import java.util.Arrays;
import java.util.OptionalLong;

/** System calls that copy what open files hold. Thread-safe. */
public final class CopyCalls {
    private static final long FICLONE = 0x40049409L;
    private static final int SEEK_SET = 0;
    private static final int SEEK_DATA = 3;
    private static final int SEEK_HOLE = 4;
    private static final int BUFFER_BYTES = 128 * 1024;

    private final Kernel kernel;

    public CopyCalls(Kernel kernel) {
        this.kernel = kernel;
    }

    /** Lets a file share all that another one holds, in one step; false where the file system cannot do that. */
    public boolean share(Descriptor from, Descriptor to) throws KernelException {
        try {
            Libc.syscall(kernel.number(Call.IOCTL), to.number(), FICLONE, from.number(), 0, 0);
            return true;
        } catch (LastErrorException e) {
            switch (e.getErrorCode()) {
                case Errno.EOPNOTSUPP, Errno.EXDEV, Errno.EINVAL, Errno.ENOTTY, Errno.ETXTBSY, Errno.EPERM -> {
                    return false;
                }
                default -> throw Kernel.failed(e, "ioctl", Kernel.name("FICLONE"));
            }
        }
    }

    /** Where the next written part of a file begins; empty if there is none behind the offset. */
    public OptionalLong data(Descriptor file, long offset) throws KernelException {
        return seek(file, offset, SEEK_DATA);
    }

    /** Where the part that begins at an offset ends. */
    public OptionalLong hole(Descriptor file, long offset) throws KernelException {
        return seek(file, offset, SEEK_HOLE);
    }

    private OptionalLong seek(Descriptor file, long offset, int whence) throws KernelException {
        try {
            return OptionalLong.of(Libc.syscall(kernel.number(Call.LSEEK), file.number(), offset, whence, 0, 0));
        } catch (LastErrorException e) {
            if (e.getErrorCode() == Errno.ENXIO) {
                return OptionalLong.empty();
            }
            throw Kernel.failed(e, "lseek", new byte[0]);
        }
    }

    /** Goes to the same offset in both files. */
    public void goTo(Descriptor from, Descriptor to, long offset) throws KernelException {
        seek(from, offset, SEEK_SET);
        seek(to, offset, SEEK_SET);
    }

    /**
     * Copies from where one file stands to where the other one stands, within the kernel where that is possible.
     *
     * @param limit the most bytes
     * @return how many were copied; 0 at the end of the file
     */
    public long copy(Descriptor from, Descriptor to, long limit) throws KernelException {
        try {
            return Libc.syscall(
                    kernel.number(Call.COPY_FILE_RANGE), (long) from.number(), 0, (long) to.number(), 0, limit, 0);
        } catch (LastErrorException e) {
            switch (e.getErrorCode()) {
                case Errno.EXDEV, Errno.EINVAL, Errno.ENOSYS, Errno.EOPNOTSUPP -> {
                    return throughMemory(from, to, limit);
                }
                default -> throw Kernel.failed(e, "copy_file_range", new byte[0]);
            }
        }
    }

    private long throughMemory(Descriptor from, Descriptor to, long limit) throws KernelException {
        byte[] buffer = new byte[(int) Math.min(limit, BUFFER_BYTES)];
        int count = kernel.read(from, buffer);
        kernel.writeAll(to, count == buffer.length ? buffer : Arrays.copyOf(buffer, count));
        return count;
    }

    /** Gives a file this length. */
    public void setLength(Descriptor file, long length) throws KernelException {
        try {
            Libc.syscall(kernel.number(Call.FTRUNCATE), file.number(), length, 0, 0, 0);
        } catch (LastErrorException e) {
            throw Kernel.failed(e, "ftruncate", new byte[0]);
        }
    }

    /** Writes out everything that the file system of a file still holds in memory. */
    public void flushFileSystem(Descriptor file) throws KernelException {
        try {
            Libc.syscall(kernel.number(Call.SYNCFS), file.number(), 0L, 0, 0, 0);
        } catch (LastErrorException e) {
            throw Kernel.failed(e, "syncfs", new byte[0]);
        }
    }

    /** Where a symbolic link that is held leads to, as it is written, ended by NUL. */
    public byte[] target(Descriptor link) throws KernelException {
        byte[] buffer = new byte[4096];
        try {
            int length = (int) Libc.syscall(
                    kernel.number(Call.READLINKAT), link.number(), new byte[] {0}, buffer, buffer.length, 0);
            return Kernel.terminated(Arrays.copyOf(buffer, length));
        } catch (LastErrorException e) {
            throw Kernel.failed(e, "readlink", new byte[0]);
        }
    }

    /** Makes a symbolic link. */
    public void makeLink(byte[] target, Descriptor directory, byte[] name) throws KernelException {
        try {
            Libc.syscall(kernel.number(Call.SYMLINKAT), target, (long) directory.number(), name, 0, 0);
        } catch (LastErrorException e) {
            throw Kernel.failed(e, "symlink", name);
        }
    }
}
