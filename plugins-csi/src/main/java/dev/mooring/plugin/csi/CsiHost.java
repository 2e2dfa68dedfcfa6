// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import dev.mooring.csi.CsiEndpoint;
import dev.mooring.csi.CsiTransport;
import dev.mooring.plugin.csi.driver.Driver;
import dev.mooring.plugin.csi.driver.Drivers;
import dev.mooring.plugin.csi.driver.SocketWatch;
import dev.mooring.plugin.csi.registration.DriverRegistry;
import dev.mooring.runtime.metrics.DriverCallMetrics;
import dev.mooring.runtime.plugin.DriverHost;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.store.ClusterStore;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** Calls CSI drivers by gRPC. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CsiHost implements DriverHost {
    private static final int THREADS = 1;
    private static final int LONGEST_NAME = 63;
    private static final Pattern NAME = Pattern.compile("(?=.{1," + LONGEST_NAME + "}$)[a-z0-9]([-a-z0-9.]*[a-z0-9])?");

    /** For the service loader. */
    public CsiHost() {}

    @Override
    public Optional<String> problem(String name, String endpoint) {
        if (!NAME.matcher(name).matches()) {
            return Optional.of("'" + name + "' is no name of a CSI driver: want at most " + LONGEST_NAME
                    + " small letters, digits, '-' and '.', with a letter or a digit at both ends");
        }
        try {
            CsiEndpoint unused = CsiEndpoint.parse(endpoint);
            return Optional.empty();
        } catch (IllegalArgumentException wrong) {
            return Optional.of(String.valueOf(wrong.getMessage()));
        }
    }

    @Override
    public OnNode onNode(NodeSetup setup) {
        setup.endpoints().values().forEach(CsiEndpoint::parse);
        return new NodeDrivers(setup);
    }

    @Override
    public InControllers inControllers(ClusterStore store, Map<String, String> endpoints, DriverCallMetrics metrics) {
        Map<String, CsiEndpoint> parsed = new TreeMap<>();
        endpoints.forEach((name, endpoint) -> parsed.put(name, CsiEndpoint.parse(endpoint)));
        return new ControllerDrivers(store, parsed, metrics);
    }

    @Override
    public Beside beside(String endpoint, DriverCallMetrics metrics) {
        return new BesideDriver(CsiEndpoint.parse(endpoint), metrics);
    }

    private static final class NodeDrivers implements OnNode {
        private final CsiTransport transport = CsiTransport.start(THREADS);
        private final Drivers drivers = new Drivers();
        private final DriverRegistry registry;
        private final CsiVolumes volumes;

        NodeDrivers(NodeSetup setup) {
            registry = new DriverRegistry(setup, transport, drivers, InstantSource.system());
            volumes = new CsiVolumes(drivers, setup.store(), setup.node().name(), setup.root(), setup.tokens());
        }

        @Override
        public StoragePlugin plugin() {
            return volumes;
        }

        @Override
        public void start(Runnable driverCame) {
            registry.start(driverCame);
        }

        @Override
        public void close() {
            registry.close();
            drivers.close();
            transport.close();
        }
    }

    private static final class ControllerDrivers implements InControllers {
        private final CsiTransport transport = CsiTransport.start(THREADS);
        private final Drivers drivers = new Drivers();
        private final List<StoragePlugin> plugins = new ArrayList<>();
        private final Map<String, CsiEndpoint> endpoints;
        private Optional<SocketWatch> watch = Optional.empty();

        ControllerDrivers(ClusterStore store, Map<String, CsiEndpoint> endpoints, DriverCallMetrics metrics) {
            this.endpoints = endpoints;
            endpoints.forEach((name, endpoint) -> {
                drivers.put(new Driver(name, transport.connect(endpoint), metrics));
                plugins.add(new CsiDriverPlugin(name, drivers, store));
            });
        }

        @Override
        public List<StoragePlugin> plugins() {
            return List.copyOf(plugins);
        }

        @Override
        public synchronized void start(Consumer<PluginName> driverCame) {
            watch = Optional.of(SocketWatch.start(endpoints, name -> driverCame.accept(new PluginName(name))));
        }

        @Override
        public synchronized void close() {
            watch.ifPresent(SocketWatch::close);
            drivers.close();
            transport.close();
        }
    }
}
