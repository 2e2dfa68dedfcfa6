// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/**
 * Logical units of iSCSI targets as volumes.
 *
 * @provides dev.mooring.storage.spi.StoragePlugin
 */
@NullMarked
module dev.mooring.plugin.iscsi {
    requires static transitive org.apiguardian.api;
    requires static transitive org.jspecify;
    // What generates builders; not needed at run time.
    requires static io.soabase.recordbuilder.core;
    requires dev.mooring.plugin.support;
    requires dev.mooring.storage;

    provides dev.mooring.storage.spi.StoragePlugin with
            dev.mooring.plugin.iscsi.IscsiPlugin;
}
