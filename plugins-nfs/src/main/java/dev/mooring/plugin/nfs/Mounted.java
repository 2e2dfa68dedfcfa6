// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import java.util.List;

/** What the mount table says of NFS mounts. Pure. */
final class Mounted {
    private Mounted() {}

    static boolean isNfs(MountEntry entry) {
        return entry.fsType().equals("nfs") || entry.fsType().equals("nfs4");
    }

    /** Mounts that the kernel itself made below a mount for exports within the export: it removes them again. */
    static boolean madeByKernel(MountEntry below, MountEntry entry) {
        return isNfs(below)
                && NfsSources.parse(below.source())
                        .flatMap(inner -> NfsSources.parse(entry.source())
                                .filter(outer -> inner.server().equals(outer.server())))
                        .isPresent();
    }

    /** Other mounts of the same file system: they share its connection and would suffer from what is done to it by force. */
    static List<MountEntry> sharing(MountTable table, MountEntry entry) {
        return table.entries().stream()
                .filter(other -> other.device().equals(entry.device()))
                .filter(other -> !other.mountPoint().startsWith(entry.mountPoint()))
                .toList();
    }
}
