// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.bound;

import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.spi.Capability;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.StoragePlugin;
import java.util.Optional;

/** Which plugin of this process serves a bound volume: a CSI source the one called like its driver, any other the one of its type. */
public final class VolumeServer {
    private VolumeServer() {}

    /** The plugin that has a capability for a volume; empty if a program outside of this process has to act. */
    public static Optional<PluginName> with(
            Class<? extends Capability> capability, PluginRegistry plugins, PersistentVolume volume) {
        return of(plugins, volume)
                .filter(plugin -> plugin.capability(capability).isPresent())
                .map(plugin -> plugin.describe().name());
    }

    /** The plugin that serves a volume, whatever it can do; empty if it was handed to a driver outside of this process. */
    public static Optional<StoragePlugin> of(PluginRegistry plugins, PersistentVolume volume) {
        return volume.metadata().annotation(Annotations.MIGRATED_TO).isPresent()
                ? Optional.empty()
                : volume.spec().source().flatMap(plugins::serving);
    }
}
