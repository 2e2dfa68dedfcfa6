// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.kernel.FileStatus;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A kept place that exists now.
 *
 * @param place what was noted
 * @param real its path without links, as this process sees it
 * @param status which file or directory it is: device and inode, whatever leads to it
 * @param mount the mount through which it was found; empty if that has gone since
 */
record FoundPlace(KeptPlace place, Path real, FileStatus status, Optional<MountEntry> mount) {
    /** Whether no volume may show it. */
    boolean isHidden() {
        return !place.visible();
    }

    /**
     * At which paths the place, or a part of it, can be seen by now: bind mounts show it at several. Something may be mounted over a path,
     * so what is found there has to be compared with {@link #status}.
     *
     * @param table all mounts
     * @return paths without links, {@link #real} among them
     */
    List<Path> seenAt(MountTable table) {
        List<Path> paths = new ArrayList<>(List.of(real));
        mount.ifPresent(own -> {
            Path within = inFileSystem(own, real);
            for (MountEntry other : table.entries()) {
                Path root = Path.of(other.root());
                if (other.device().equals(own.device()) && within.startsWith(root)) {
                    paths.add(below(other.mountPoint(), root.relativize(within)));
                } else if (other.device().equals(own.device()) && root.startsWith(within)) {
                    paths.add(other.mountPoint());
                }
            }
        });
        return paths.stream().distinct().toList();
    }

    /** Where something that is seen through a mount is in the mount's file system. */
    static Path inFileSystem(MountEntry mount, Path real) {
        return real.startsWith(mount.mountPoint())
                ? below(Path.of(mount.root()), mount.mountPoint().relativize(real))
                : Path.of(mount.root());
    }

    private static Path below(Path above, Path rest) {
        return rest.toString().isEmpty() ? above : above.resolve(rest);
    }
}
