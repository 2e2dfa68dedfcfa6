// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/**
 * Exports of NFS servers as volumes.
 *
 * @provides dev.mooring.storage.spi.StoragePlugin
 */
@NullMarked
module dev.mooring.plugin.nfs {
    requires static transitive org.apiguardian.api;
    requires static transitive org.jspecify;
    requires dev.mooring.plugin.support;
    requires dev.mooring.storage;

    provides dev.mooring.storage.spi.StoragePlugin with
            dev.mooring.plugin.nfs.NfsPlugin;
}
