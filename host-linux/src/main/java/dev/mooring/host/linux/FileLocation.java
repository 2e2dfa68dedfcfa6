// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.FileStatus;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Where a file is, whatever path leads to it: in its file system, then where that is mounted in the one above, and so on to the root.
 * From the mount table alone, without a look at what is mounted. Two bind mounts of one directory are at the same place in its file
 * system, which their paths do not show.
 *
 * @param status which file it is
 * @param real its path without links
 * @param levels the file's own file system first; empty if its mount is in no table, as a mount that only this process sees
 * @param above the directories above it, the nearest first, where no table tells where it is
 */
record FileLocation(FileStatus status, Path real, List<Level> levels, List<FileStatus> above) {
    private static final int MOST_LEVELS = 64;
    private static final int MOST_ABOVE = 4096;

    FileLocation {
        levels = List.copyOf(levels);
        above = List.copyOf(above);
    }

    /**
     * A place in one file system.
     *
     * @param device the file system's numbers
     * @param type its type
     * @param path the path within it
     */
    record Level(String device, String type, Path path) {
        private boolean holds(Level other) {
            return device.equals(other.device) && other.path.startsWith(path);
        }
    }

    static FileLocation of(Kernel kernel, Descriptor held, MountTable table) throws KernelException {
        FileLocation told = of(kernel.knownStatus(held), kernel.path(held), table);
        return told.levels().isEmpty() && told.status().isDirectory()
                ? new FileLocation(told.status(), told.real(), List.of(), above(kernel, held))
                : told;
    }

    private static List<FileStatus> above(Kernel kernel, Descriptor held) throws KernelException {
        List<FileStatus> above = new ArrayList<>();
        FileStatus last = kernel.knownStatus(held);
        Descriptor here = kernel.open(held.number(), Kernel.name("."), Kernel.O_PATH, 0);
        try {
            while (above.size() < MOST_ABOVE) {
                Descriptor next = kernel.open(here.number(), Kernel.name(".."), Kernel.O_PATH, 0);
                here.close();
                here = next;
                FileStatus status = kernel.knownStatus(here);
                if (status.sameFileAs(last)) {
                    break;
                }
                above.add(status);
                last = status;
            }
        } finally {
            here.close();
        }
        return above;
    }

    static FileLocation of(FileStatus status, Path real, MountTable table) {
        List<Level> levels = new ArrayList<>();
        Path place = real;
        Optional<MountEntry> mount = table.byId(status.mountId());
        while (mount.isPresent() && levels.size() < MOST_LEVELS) {
            MountEntry here = mount.get();
            levels.add(new Level(here.device(), here.fsType(), FoundPlace.inFileSystem(here, place)));
            place = here.mountPoint();
            mount = table.byId(here.parent()).filter(above -> above.id() != here.id());
        }
        return new FileLocation(status, real, levels, List.of());
    }

    /** How many elements this file lies below another one; 0 if it is the same; empty if it does not lie in it. */
    OptionalInt depthIn(FileLocation other) {
        if (status.sameFileAs(other.status)) {
            return OptionalInt.of(0);
        }
        for (int i = 0; i < above.size(); i++) {
            if (above.get(i).sameFileAs(other.status)) {
                return OptionalInt.of(i + 1);
            }
        }
        if (other.levels.isEmpty()) {
            return OptionalInt.empty();
        }
        Level outer = other.levels.get(0);
        int depth = 0;
        for (int i = 0; i < levels.size(); i++) {
            Level own = levels.get(i);
            if (outer.holds(own)) {
                return OptionalInt.of(depth + names(own.path()) - names(outer.path()));
            }
            // what is mounted is one element in the file system above, which its mount point has counted already
            depth += names(own.path());
        }
        return OptionalInt.empty();
    }

    private static int names(Path path) {
        return path.getNameCount();
    }

    boolean liesIn(FileLocation other) {
        return depthIn(other).isPresent();
    }
}
