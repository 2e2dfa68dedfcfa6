// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import dev.mooring.storage.builder.WithBuilder;
import java.util.List;
import java.util.Optional;
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
 * @param driverName the name of the CSI driver as which the plugin is served, such as {@code disks.csi.example.com}. It stands in classes
 *     and volumes, so it never changes. Empty if the plugin has none; it is served then under a name that an administrator gives
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record PluginDescriptor(
        PluginName name,
        List<String> sourceTypes,
        Place reclaimPlace,
        boolean supportsMountOptions,
        boolean managesOwnership,
        Optional<String> driverName)
        implements PluginDescriptorBuilder.With {
    /** Copies the list. */
    public PluginDescriptor {
        sourceTypes = List.copyOf(sourceTypes);
    }

    /**
     * What has no name as a CSI driver.
     *
     * @deprecated the two last values are easily confused: {@link #of} takes neither, and each is set by its name
     */
    @API(status = API.Status.DEPRECATED, since = "0.1")
    @Deprecated(since = "0.1")
    @SuppressWarnings("InlineMeSuggester") // its annotation would be one more library for those who write plugins
    public PluginDescriptor(
            PluginName name,
            List<String> sourceTypes,
            Place reclaimPlace,
            boolean supportsMountOptions,
            boolean managesOwnership) {
        this(name, sourceTypes, reclaimPlace, supportsMountOptions, managesOwnership, Optional.empty());
    }

    /** A plugin without mount options, whose files stay as they are, and without a name as a CSI driver. */
    public static PluginDescriptor of(PluginName name, List<String> sourceTypes, Place reclaimPlace) {
        return PluginDescriptorBuilder.builder()
                .name(name)
                .sourceTypes(sourceTypes)
                .reclaimPlace(reclaimPlace)
                .build();
    }

    /** The same, with a name as a CSI driver. */
    public PluginDescriptor withDriverName(String newName) {
        return withDriverName(Optional.of(newName));
    }
}
