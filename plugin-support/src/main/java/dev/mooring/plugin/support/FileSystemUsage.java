// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.support;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Statistics.Usage;
import dev.mooring.storage.spi.host.PinnedPath;
import org.apiguardian.api.API;

/** How full a volume's file system is, as {@link dev.mooring.storage.spi.Statistics} reports it. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FileSystemUsage {
    private FileSystemUsage() {}

    /** How full the file system is that holds a path: bytes and inodes. Waits for the file system, so not for one of a network. */
    public static Outcome<Usage> of(PinnedPath path) {
        return path.space()
                .map(space -> new Usage(
                        space.capacityBytes(),
                        space.usedBytes(),
                        space.availableBytes(),
                        space.inodes(),
                        space.freeInodes()));
    }
}
