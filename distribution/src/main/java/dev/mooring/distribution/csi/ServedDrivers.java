// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.csi;

import dev.mooring.runtime.metrics.DriverCallMetrics;
import dev.mooring.runtime.plugin.DriverHost;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.store.ClusterStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The CSI drivers whose controller services this process calls in place of side-cars. Without any, nothing is loaded for them. Thread-safe.
 */
public final class ServedDrivers implements AutoCloseable {
    private final Optional<DriverHost.InControllers> drivers;

    private ServedDrivers(Optional<DriverHost.InControllers> drivers) {
        this.drivers = drivers;
    }

    /**
     * Connects to drivers.
     *
     * @param store the cluster
     * @param endpoints sockets by the drivers' names
     * @param metrics gets each call
     * @throws IllegalArgumentException if a name or an endpoint is malformed; the message names it
     */
    public static ServedDrivers of(ClusterStore store, Map<String, String> endpoints, DriverCallMetrics metrics) {
        return new ServedDrivers(
                endpoints.isEmpty()
                        ? Optional.empty()
                        : Optional.of(CsiModules.find(DriverHost.class).inControllers(store, endpoints, metrics)));
    }

    /** One plugin for each driver. */
    public List<StoragePlugin> plugins() {
        return drivers.map(DriverHost.InControllers::plugins).orElse(List.of());
    }

    /**
     * Begins to look for sockets that come.
     *
     * @param driverCame run, by another thread, with the plugin of a driver whose socket has come
     */
    public void start(Consumer<PluginName> driverCame) {
        drivers.ifPresent(served -> served.start(driverCame));
    }

    @Override
    public void close() {
        drivers.ifPresent(DriverHost.InControllers::close);
    }
}
