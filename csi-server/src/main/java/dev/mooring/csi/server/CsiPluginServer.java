// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.runtime.plugin.PluginServer;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.HostServices;
import java.io.IOException;
import java.time.InstantSource;

/** Serves plugins as CSI drivers. */
public final class CsiPluginServer implements PluginServer {
    /** For {@link java.util.ServiceLoader}. */
    public CsiPluginServer() {}

    @Override
    public Serving serve(StoragePlugin plugin, HostServices host, InstantSource clock, Settings settings)
            throws IOException {
        return PluginDriver.start(plugin, host, clock, settings);
    }

    @Override
    public Abilities abilities(StoragePlugin plugin) {
        return DriverTraits.abilities(plugin);
    }
}
