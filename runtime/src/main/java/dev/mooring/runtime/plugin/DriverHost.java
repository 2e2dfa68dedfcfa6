// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.plugin;

import dev.mooring.runtime.EventSink;
import dev.mooring.runtime.metrics.DriverCallMetrics;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.store.ClusterStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
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
     * Connects to a driver for a process that is its side-car.
     *
     * @param endpoint the driver's socket, such as {@code unix:///csi/csi.sock}
     * @param metrics are told of each call
     * @return to be closed after the controllers
     * @throws IllegalArgumentException if the endpoint is none; the message names it
     */
    Beside beside(String endpoint, DriverCallMetrics metrics);

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

    /** One driver, to its side-car. Thread-safe. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    interface Beside extends AutoCloseable {
        /**
         * Whether the driver is ready, asked now.
         *
         * @param limit how long it may take to answer
         * @return deferred with the reason if it does not answer, or is not ready; refused if it answers with an error
         */
        Outcome<Nothing> probe(Duration limit);

        /**
         * What the driver says of itself, asked in the order in which side-cars ask.
         *
         * @param limit how long each answer may take
         */
        Outcome<DriverFacts> facts(Duration limit);

        /**
         * From where the node on which the driver runs can reach its volumes.
         *
         * @param limit how long it may take to answer
         * @return the segments of its topology; empty if it tells none
         */
        Outcome<Map<String, String>> place(Duration limit);

        /**
         * The plugin that calls the driver's controller service.
         *
         * @param store the cluster
         * @param facts what the driver said of itself: what it cannot do, the plugin cannot
         * @param rules how it is called
         */
        StoragePlugin plugin(ClusterStore store, DriverFacts facts, SidecarRules rules);

        /**
         * Begins to look for the driver's socket, of which the kernel tells.
         *
         * @param came run, by another thread, whenever it has come: another version of the driver may listen there
         */
        void watch(Runnable came);

        /**
         * Tells a kubelet of the driver, by a socket of its own (semantics/csi §4), until what is answered is closed.
         *
         * @param driver the driver's name
         * @param endpoint the path of the driver's socket as the kubelet sees it
         * @param socket where to listen; its directory has to exist
         * @param told run, by another thread, with the kubelet's answer: empty if it has taken the driver
         * @throws IOException if the socket cannot be made; the message names it
         */
        Registered register(String driver, String endpoint, Path socket, Consumer<String> told) throws IOException;

        /** Ends the connection. */
        @Override
        void close();

        /** A driver of which a kubelet is told. */
        @API(status = API.Status.EXPERIMENTAL, since = "0.1")
        interface Registered extends AutoCloseable {
            /** Removes the socket. */
            @Override
            void close();
        }
    }
}
