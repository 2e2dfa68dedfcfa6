// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.plugin;

import dev.mooring.runtime.EventSink;
import dev.mooring.runtime.metrics.DriverCallMetrics;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.store.ClusterStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apiguardian.api.API;

/**
 * Calls CSI drivers, which are programs of their own behind sockets. Found by {@link java.util.ServiceLoader} in the layer of modules that is
 * loaded when the first driver comes: a process without drivers does not carry what calling them needs. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface DriverHost {
    /**
     * What is wrong with a driver that is named with its socket; whether anything listens there is not looked at.
     *
     * @return names the value and the rule; empty if nothing is wrong
     */
    Optional<String> problem(String name, String endpoint);

    /**
     * Looks after the drivers of a node.
     *
     * @return to be started, and to be closed after the node's agent, whose calls it carries out
     */
    OnNode onNode(NodeSetup setup);

    /**
     * Calls the controller services of drivers in place of their side-cars.
     *
     * @param store the cluster
     * @param endpoints sockets by the names of the drivers, such as {@code unix:///run/driver/csi.sock}
     * @param metrics are told of each call
     * @return to be closed after the controllers
     * @throws IllegalArgumentException if a name or an endpoint is none; the message names it
     */
    InControllers inControllers(ClusterStore store, Map<String, String> endpoints, DriverCallMetrics metrics);

    /**
     * What drivers on a node need.
     *
     * @param store the cluster
     * @param host what this machine does
     * @param node this node
     * @param root below it volumes are mounted for pods, and drivers register in {@code plugins_registry}
     * @param endpoints sockets of drivers that do not register, by the drivers' names
     * @param events where people are told of drivers that cannot be registered
     * @param tokens makes the tokens of service accounts that drivers ask for
     * @param metrics are told of each call
     */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    record NodeSetup(
            ClusterStore store,
            HostServices host,
            NodeRef node,
            Path root,
            Map<String, String> endpoints,
            EventSink events,
            DriverTokens tokens,
            DriverCallMetrics metrics) {
        /** Copies the map. */
        public NodeSetup {
            endpoints = new TreeMap<>(endpoints);
        }
    }

    /** The drivers of a node. Thread-safe. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    interface OnNode extends AutoCloseable {
        /** The plugin that serves the volumes of all drivers. */
        StoragePlugin plugin();

        /**
         * Begins to register drivers.
         *
         * @param driverCame run, by another thread, whenever a driver can be called that could not be called before
         */
        void start(Runnable driverCame);

        /** Ends registration and all connections. What is mounted stays. */
        @Override
        void close();
    }

    /** Drivers in the controllers. Thread-safe. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    interface InControllers extends AutoCloseable {
        /** One plugin for each driver. */
        List<StoragePlugin> plugins();

        /**
         * Begins to look for sockets that come, of which the kernel tells.
         *
         * @param driverCame run, by another thread, with the plugin of a driver whose socket has come
         */
        void start(Consumer<PluginName> driverCame);

        /** Ends all connections. */
        @Override
        void close();
    }
}
