// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import java.util.List;
import org.apiguardian.api.API;

/**
 * What a plugin is. Two plugins of one host never share a name or a source type.
 *
 * @param name its stable name
 * @param sourceTypes the keys of volume sources that it serves, such as {@code nfs}; a source type belongs to one plugin. A plugin that is
 *     called like a CSI driver is given the {@code csi} sources of that driver without declaring anything; one that declares {@code csi}
 *     is given those of all other drivers too
 * @param reclaimPlace where {@link Provisioning}, {@link Deleting} and {@link Recycling} are called
 * @param supportsMountOptions whether volumes may carry mount options
 * @param managesOwnership whether the host may change owner and mode of the volume's files (fsGroup). Of a CSI source
 *     {@code fsGroupPolicy} of the driver's CSIDriver has to allow it too; without one only what has an {@code fsType} and is
 *     ReadWriteOnce or ReadWriteOncePod is changed
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PluginDescriptor(
        PluginName name,
        List<String> sourceTypes,
        Place reclaimPlace,
        boolean supportsMountOptions,
        boolean managesOwnership) {
    /** Copies the list. */
    public PluginDescriptor {
        sourceTypes = List.copyOf(sourceTypes);
    }
}
