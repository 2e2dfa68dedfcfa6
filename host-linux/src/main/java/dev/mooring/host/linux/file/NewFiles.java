// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.file;

import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.DirectoryReader;
import dev.mooring.host.linux.kernel.Errno;
import dev.mooring.host.linux.kernel.FileStatus;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;

/** Making directories and files whose mode is exact, whatever the umask, in places where others may write too. */
public final class NewFiles {
    /** With nothing for others, until it is known to be the one that was made. */
    private static final int FIRST_MODE = 0700;

    private NewFiles() {}

    /** Makes a directory; false if the name is taken. */
    public static boolean makeDirectory(Kernel kernel, Descriptor parent, byte[] name) throws KernelException {
        try {
            kernel.makeDirectory(parent.number(), name, FIRST_MODE);
            return true;
        } catch (KernelException e) {
            if (e.is(Errno.EEXIST)) {
                return false;
            }
            throw e;
        }
    }

    /**
     * Gives a directory its mode if it was made here. Between mkdir and open somebody with write access to the parent may have put
     * another directory there: one that is not ours and fresh is not touched.
     */
    static Outcome<Nothing> settle(Kernel kernel, Descriptor directory, boolean isNew, int mode)
            throws KernelException {
        FileStatus status = kernel.status(directory);
        if (!status.isDirectory()) {
            return Outcome.refused(Refusal.INCOMPATIBLE, "the name is taken by something that is no directory");
        }
        if (!isNew) {
            return Outcome.done();
        }
        boolean looksFresh = status.owner() == kernel.effectiveUser()
                && (status.permissions() & 0777 & ~FIRST_MODE) == 0
                && isEmpty(kernel, directory);
        if (!looksFresh) {
            return Outcome.deferred("the new directory was replaced by another one while it was made");
        }
        kernel.changeMode(directory, mode);
        return Outcome.done();
    }

    private static boolean isEmpty(Kernel kernel, Descriptor directory) throws KernelException {
        try (Descriptor readable = kernel.openDirectory(directory)) {
            return new DirectoryReader(kernel, readable).all(1).isEmpty();
        }
    }

    /** Makes an empty file and holds it; the descriptor is the one that made it, so that nothing can come between. */
    public static Descriptor makeFile(Kernel kernel, Descriptor parent, byte[] name, int mode) throws KernelException {
        int flags = Kernel.O_WRONLY | Kernel.O_CREAT | Kernel.O_EXCL | kernel.noFollowFlag();
        Descriptor file = kernel.open(parent.number(), name, flags, 0600);
        try {
            kernel.changeMode(file, mode);
            return file;
        } catch (KernelException e) {
            file.close();
            throw e;
        }
    }
}
