// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/**
 * Storage plugins as CSI drivers.
 *
 * @provides dev.mooring.runtime.plugin.PluginServer
 */
@NullMarked
module dev.mooring.csi.server {
    requires static transitive org.apiguardian.api;
    requires static transitive org.jspecify;
    requires dev.mooring.csi;
    requires dev.mooring.plugin.support;
    requires dev.mooring.runtime;
    requires dev.mooring.storage;
    requires dev.mooring.storage.codec;
    requires org.slf4j;

    provides dev.mooring.runtime.plugin.PluginServer with
            dev.mooring.csi.server.CsiPluginServer;
}
