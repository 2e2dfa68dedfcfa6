// SPDX-License-Identifier: Apache-2.0
package dev.mooring.controlplane;

import dev.mooring.runtime.plugin.DriverHost;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The CSI drivers of a node's agent. What calling them needs is loaded when the first one is named or shows its registration socket, of which
 * the kernel tells: a node without drivers does not carry it. Thread-safe.
 */
final class NodeDrivers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeDrivers.class);

    private final NodeAgent agent;
    private final Supplier<DriverHost> host;
    private final DriverHost.NodeSetup setup;
    private Optional<WatchService> watch = Optional.empty();
    private Optional<DriverHost.OnNode> drivers = Optional.empty();
    private boolean closed;

    private NodeDrivers(NodeAgent agent, Supplier<DriverHost> host, DriverHost.NodeSetup setup) {
        this.agent = agent;
        this.host = host;
        this.setup = setup;
    }

    /** Begins to look for drivers. */
    static NodeDrivers start(NodeAgent agent, Supplier<DriverHost> host, DriverHost.NodeSetup setup) {
        NodeDrivers started = new NodeDrivers(agent, host, setup);
        started.begin();
        return started;
    }

    private synchronized void begin() {
        if (!setup.endpoints().isEmpty()) {
            load();
            return;
        }
        Path registry = setup.root().resolve("plugins_registry");
        try {
            Files.createDirectories(registry);
            WatchService service = FileSystems.getDefault().newWatchService();
            watch = Optional.of(service);
            registry.register(service, StandardWatchEventKinds.ENTRY_CREATE);
            if (isEmpty(registry)) {
                Thread thread = new Thread(() -> await(service), "csi-drivers");
                thread.setDaemon(true);
                thread.start();
            } else {
                load();
            }
        } catch (IOException e) {
            LOG.warn("CSI drivers cannot register on this node: {} cannot be watched: {}", registry, e.toString());
        }
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            return !entries.iterator().hasNext();
        }
    }

    private void await(WatchService service) {
        try {
            service.take();
            load();
        } catch (InterruptedException | ClosedWatchServiceException ended) {
            LOG.debug("no CSI driver has come");
        } catch (RuntimeException broken) {
            LOG.error("CSI drivers cannot be called on this node", broken);
        }
    }

    private synchronized void load() {
        if (closed) {
            return;
        }
        watch.ifPresent(NodeDrivers::end);
        DriverHost.OnNode loaded = host.get().onNode(setup);
        drivers = Optional.of(loaded);
        agent.add(loaded.plugin());
        loaded.start(agent::driverCame);
    }

    private static void end(WatchService service) {
        try {
            service.close();
        } catch (IOException e) {
            LOG.debug("a watch was not closed", e);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        watch.ifPresent(NodeDrivers::end);
        drivers.ifPresent(DriverHost.OnNode::close);
        drivers = Optional.empty();
    }
}
