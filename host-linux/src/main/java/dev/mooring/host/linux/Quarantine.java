// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.file.NewFiles;
import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.Errno;
import dev.mooring.host.linux.kernel.FileStatus;
import dev.mooring.host.linux.kernel.Guarded;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.MountTable;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * Removes mount points that are empty and puts the others aside: what was written into a mount point while nothing was mounted there
 * may be the only copy of a user's data.
 */
final class Quarantine {
    private static final int PRIVATE = 0700;

    private final Kernel kernel;
    private final Path orphans;

    Quarantine(Kernel kernel, Path orphans) {
        this.kernel = kernel;
        this.orphans = orphans;
    }

    /**
     * Removes the place, which is no mount point any more. If something is mounted below it, nothing is moved.
     *
     * @param mounted the mount table
     */
    Outcome<Nothing> removeMountPoint(MountPoint point, InstantSource clock, Supplier<Outcome<MountTable>> mounted) {
        return Guarded.change(() -> {
            try {
                FileStatus status = kernel.status(point.parent().number(), point.name());
                boolean emptyFile = status.kind() == FileKind.FILE && status.size() == 0;
                if (!status.isDirectory() && !emptyFile) {
                    return putAside(point, clock);
                }
                kernel.unlink(
                        point.parent().number(), point.name(), status.isDirectory() ? Kernel.REMOVE_DIRECTORY : 0);
                return Outcome.done();
            } catch (KernelException e) {
                return switch (e.errno()) {
                    case Errno.ENOENT -> Outcome.done();
                    case Errno.ENOTEMPTY, Errno.EEXIST ->
                        mounted.get()
                                .map(table -> table.below(point.path()))
                                .then(below -> below.isEmpty()
                                        ? Guarded.change(() -> putAside(point, clock))
                                        : Outcome.refused(
                                                Refusal.IN_USE,
                                                point.path() + " is not empty, and mounted below it is "
                                                        + below.get(0)));
                    case Errno.EBUSY -> Outcome.uncertain(whyBusy(point));
                    default -> e.outcome();
                };
            }
        });
    }

    /** The kernel says so too where nothing is mounted that is seen from here. */
    private String whyBusy(MountPoint point) {
        try {
            long here = kernel.status(point.parent().number(), point.name()).mountId();
            long around = kernel.status(point.parent()).mountId();
            if (here != around) {
                return point.path() + " was mounted again meanwhile";
            }
        } catch (KernelException gone) {
            return point.path() + " was in use just now: " + gone.getMessage();
        }
        return point.path() + " is in use by something else than a mount of this process's namespace, and cannot be"
                + " removed: look for a mount in another namespace, an overlay or a swap file there";
    }

    private Outcome<Nothing> putAside(MountPoint point, InstantSource clock) throws KernelException {
        String newName = clock.millis() + "-" + point.path().getFileName();
        try (MountPoint directory = MountPoint.of(kernel, orphans)) {
            NewFiles.makeDirectory(kernel, directory.parent(), directory.name(), PRIVATE);
            try (Descriptor aside = directory.open(kernel)) {
                kernel.rename(
                        point.parent().number(),
                        point.name(),
                        aside.number(),
                        Kernel.name(newName),
                        Kernel.RENAME_NOREPLACE);
            }
        } catch (KernelException e) {
            return Outcome.refused(
                    Refusal.CORRUPT, point.path() + " is not empty and could not be put aside: " + e.getMessage());
        }
        return Outcome.refused(Refusal.CORRUPT, point.path() + " was not empty and is now " + orphans.resolve(newName));
    }
}
