// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.file;

import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.DirectoryReader;
import dev.mooring.host.linux.kernel.Errno;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.storage.spi.host.TreeRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Removes from a copy what an earlier attempt has copied and its original no longer has, or has as something of another kind. It comes
 * before the copying, so that the space is free then. For one walk.
 */
final class CopyLeftovers {
    private final Kernel kernel;
    private final OperationContext context;
    private final MountTable table;

    CopyLeftovers(Kernel kernel, OperationContext context, MountTable table) {
        this.kernel = kernel;
        this.context = context;
        this.table = table;
    }

    /** Looks at the names of one directory; both are open for reading. */
    Outcome<Nothing> remove(Descriptor source, Descriptor target) throws KernelException {
        // listed to the end before anything goes: some file systems skip names otherwise
        for (byte[] name : leftovers(source, target)) {
            Outcome<Nothing> removed = remove(target, name);
            if (!removed.isDone()) {
                return removed;
            }
        }
        return Outcome.done();
    }

    private List<byte[]> leftovers(Descriptor source, Descriptor target) throws KernelException {
        DirectoryReader reader = new DirectoryReader(kernel, target);
        List<byte[]> found = new ArrayList<>();
        for (List<byte[]> part = reader.next(); !part.isEmpty(); part = reader.next()) {
            for (byte[] name : part) {
                if (!kind(source, name).equals(kind(target, name))) {
                    found.add(name);
                }
            }
        }
        return found;
    }

    private Optional<FileKind> kind(Descriptor directory, byte[] name) throws KernelException {
        try {
            return Optional.of(kernel.status(directory.number(), name).kind());
        } catch (KernelException e) {
            if (e.is(Errno.ENOENT)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Removes one name with all that is below. */
    Outcome<Nothing> remove(Descriptor target, byte[] name) throws KernelException {
        if (!kind(target, name).equals(Optional.of(FileKind.DIRECTORY))) {
            kernel.unlink(target.number(), name, 0);
            return Outcome.done();
        }
        int flags = Kernel.O_PATH | kernel.noFollowFlag();
        try (Descriptor directory = kernel.open(target.number(), name, flags, 0, Kernel.STRICTLY_BELOW)) {
            TreeRules all =
                    TreeRules.all(LinuxPinnedPath.facts(kernel, directory).identity());
            Outcome<Nothing> emptied =
                    new TreeWalker(kernel, context, all).empty(directory, table).then(gone -> Outcome.done());
            if (emptied.isDone()) {
                kernel.unlink(target.number(), name, Kernel.REMOVE_DIRECTORY);
            }
            return emptied;
        }
    }
}
