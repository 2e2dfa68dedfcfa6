// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/**
 * Volumes of CSI drivers, on nodes and in the controllers.
 *
 * @provides dev.mooring.runtime.plugin.DriverHost
 */
@NullMarked
module dev.mooring.plugin.csi {
    requires static transitive org.apiguardian.api;
    requires static transitive org.jspecify;
    requires dev.mooring.csi;
    requires dev.mooring.plugin.support;
    requires dev.mooring.runtime;
    requires dev.mooring.storage;
    requires org.slf4j;

    provides dev.mooring.runtime.plugin.DriverHost with
            dev.mooring.plugin.csi.CsiHost;
}
