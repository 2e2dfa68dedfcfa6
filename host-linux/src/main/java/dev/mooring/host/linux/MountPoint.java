// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.file.NewFiles;
import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.Errno;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A place below a directory that is held: from here on it is named by that descriptor and its last element, which is never followed
 * if it is a link.
 */
final class MountPoint implements AutoCloseable {
    private static final int DIRECTORY_MODE = 0750;
    private static final int FILE_MODE = 0640;

    private final Descriptor parent;
    private final byte[] name;
    private final Path path;

    /** Takes over the descriptor. */
    MountPoint(Descriptor parent, byte[] name, Path path) {
        this.parent = parent;
        this.name = name.clone();
        this.path = path;
    }

    /** The directory. */
    Descriptor parent() {
        return parent;
    }

    /** The last element, ended by NUL. */
    byte[] name() {
        return name.clone();
    }

    /** As the mount table writes it, without links. */
    Path path() {
        return path;
    }

    static MountPoint of(Kernel kernel, Path target) throws KernelException {
        Path directory = target.getParent();
        Path last = target.getFileName();
        if (!target.isAbsolute() || directory == null || last == null) {
            throw new KernelException(Errno.EINVAL, "mount point " + target);
        }
        Descriptor parent = kernel.open(
                Kernel.CURRENT_DIRECTORY, Kernel.name(directory), Kernel.O_PATH | kernel.directoryFlag(), 0);
        try {
            Path real = kernel.path(parent);
            return new MountPoint(parent, Kernel.name(last), real.resolve(last));
        } catch (KernelException e) {
            parent.close();
            throw e;
        }
    }

    /** Makes the place, an empty directory or file; false if there is something of the name already. */
    boolean make(Kernel kernel, boolean directory) throws KernelException {
        if (directory) {
            boolean made = NewFiles.makeDirectory(kernel, parent, name, DIRECTORY_MODE);
            if (made) {
                try (Descriptor place = open(kernel)) {
                    kernel.changeMode(place, DIRECTORY_MODE);
                }
            }
            return made;
        }
        try (Descriptor file = NewFiles.makeFile(kernel, parent, name, FILE_MODE)) {
            return file.number() >= 0;
        } catch (KernelException e) {
            if (e.is(Errno.EEXIST)) {
                return false;
            }
            throw e;
        }
    }

    /** Removes what {@link #make} made. */
    void remove(Kernel kernel, boolean directory) {
        try {
            kernel.unlink(parent.number(), name, directory ? Kernel.REMOVE_DIRECTORY : 0);
        } catch (KernelException ignored) {
            // an empty mount point that is left is harmless: the next attempt uses it, the undo removes it
        }
    }

    /** Holds what one sees at the place: the top mount, if there is one. */
    Descriptor open(Kernel kernel) throws KernelException {
        return kernel.open(parent.number(), name, Kernel.O_PATH | kernel.noFollowFlag(), 0);
    }

    /** A path for calls that take no descriptor; nothing but the last element can have changed its meaning. */
    byte[] anchored() {
        byte[] prefix = (parent.link() + "/").getBytes(StandardCharsets.US_ASCII);
        byte[] whole = Arrays.copyOf(prefix, prefix.length + name.length);
        System.arraycopy(name, 0, whole, prefix.length, name.length);
        return whole;
    }

    @Override
    public void close() {
        parent.close();
    }
}
