// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.kernel.FileStatus;
import dev.mooring.storage.spi.host.MountEntry;
import java.nio.file.Path;

/**
 * A kept place that exists now.
 *
 * @param place what was noted
 * @param real its path without links, as this process sees it
 * @param status which file or directory it is: device and inode, whatever leads to it
 */
record FoundPlace(KeptPlace place, Path real, FileStatus status) {
    /** Whether no volume may show it. */
    boolean isHidden() {
        return !place.visible();
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
