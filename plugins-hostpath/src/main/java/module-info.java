// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/**
 * Paths and disks of the node as volumes.
 *
 * @provides dev.mooring.storage.spi.StoragePlugin
 */
@NullMarked
module dev.mooring.plugin.hostpath {
    requires static transitive org.apiguardian.api;
    requires static transitive org.jspecify;
    requires dev.mooring.plugin.support;
    requires dev.mooring.storage;

    provides dev.mooring.storage.spi.StoragePlugin with
            dev.mooring.plugin.hostpath.HostPathPlugin,
            dev.mooring.plugin.hostpath.local.LocalPlugin;
}
