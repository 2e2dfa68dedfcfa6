// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What the path of a volume leads to, held.
 *
 * @param path where that really is
 * @param pinned the directory or the device's file
 * @param device the device; empty for a directory
 * @param identity which one it is
 */
record LocatedVolume(Path path, PinnedPath pinned, Optional<BlockDevice> device, DiskIdentity identity)
        implements AutoCloseable {
    /** The same, held by the same handle, with what the device holds. */
    LocatedVolume withContent(String content) {
        return new LocatedVolume(path, pinned, device, identity.withContent(content));
    }

    @Override
    public void close() {
        pinned.close();
    }
}
