// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.file.Path;

/**
 * Where a file is in its file system, which is the same through every bind mount.
 *
 * @param device the numbers of the file system
 * @param path the path within it
 */
record FilePlace(String device, Path path) {
    static Outcome<FilePlace> of(OperationContext context, PinnedPath pinned) {
        return context.host()
                .mounts()
                .entryOf(pinned)
                .then(mount -> pinned.resolved().map(real -> of(mount, real)));
    }

    private static FilePlace of(MountEntry mount, Path real) {
        Path below = mount.mountPoint().relativize(real);
        return new FilePlace(
                mount.device(), Path.of(mount.root()).resolve(below).normalize());
    }

    /** Something below it that may not be there yet. */
    FilePlace below(Path relative) {
        return new FilePlace(device, path.resolve(relative).normalize());
    }

    boolean liesIn(FilePlace other) {
        return device.equals(other.device) && path.startsWith(other.path);
    }
}
