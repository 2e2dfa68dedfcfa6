// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.file;

import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.DirectoryReader;
import dev.mooring.host.linux.kernel.Errno;
import dev.mooring.host.linux.kernel.FileStatus;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;

/**
 * Making directories and files whose mode is exact, whatever the umask, in places where others may write too.
 *
 * <p>What is made has its mode from the first moment: after a crash or an error an unfinished mode could not be told from a wanted one.
 * What mkdir(2) does not take is put right afterwards: the set-group-id bit, if the parent does not hand it down itself; what a parent
 * hands down that is not wanted; and what the umask took, on a kernel that lets no thread part from it.
 */
public final class NewFiles {
    private NewFiles() {}

    /** Makes a directory; false if the name is taken. */
    public static boolean makeDirectory(Kernel kernel, Descriptor parent, byte[] name, int mode)
            throws KernelException {
        try {
            kernel.makeDirectory(parent.number(), name, mode);
            return true;
        } catch (KernelException e) {
            if (e.is(Errno.EEXIST)) {
                return false;
            }
            throw e;
        }
    }

    /**
     * Puts right the mode of a directory if it was made here, and tells whether it is the one that was. Between mkdir and open a process
     * with write access to the parent may have put another directory there, or may use this one already. So only a directory that is fresh
     * and ours is touched.
     */
    static Outcome<Boolean> settle(Kernel kernel, Descriptor directory, boolean isNew, int mode)
            throws KernelException {
        FileStatus status = kernel.status(directory);
        if (!status.isDirectory()) {
            return Outcome.refused(Refusal.INCOMPATIBLE, "the name is taken by something that is no directory");
        }
        if (!isNew) {
            return Outcome.done(false);
        }
        boolean ours = status.owner() == kernel.effectiveUser() && (status.permissions() & 0777 & ~mode) == 0;
        boolean whole = status.permissions() == mode;
        boolean fresh = ours && isEmpty(kernel, directory);
        if (!fresh && !(ours && whole)) {
            return Outcome.deferred("the new directory was replaced by another one while it was made");
        }
        if (!whole) {
            kernel.changeMode(directory, mode);
        }
        return Outcome.done(fresh);
    }

    private static boolean isEmpty(Kernel kernel, Descriptor directory) throws KernelException {
        try (Descriptor readable = kernel.openDirectory(directory)) {
            return new DirectoryReader(kernel, readable).all(1).isEmpty();
        }
    }

    /** Makes an empty file and holds it by the descriptor that made it, so that nothing can come between. */
    public static Descriptor makeFile(Kernel kernel, Descriptor parent, byte[] name, int mode) throws KernelException {
        int flags = Kernel.O_WRONLY | Kernel.O_CREAT | Kernel.O_EXCL | kernel.noFollowFlag();
        Descriptor file = kernel.open(parent.number(), name, flags, mode);
        try {
            kernel.changeMode(file, mode);
            return file;
        } catch (KernelException e) {
            file.close();
            throw e;
        }
    }
}
