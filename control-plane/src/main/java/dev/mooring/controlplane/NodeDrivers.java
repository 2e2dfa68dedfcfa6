// SPDX-License-Identifier: Apache-2.0
package dev.mooring.controlplane;

import dev.mooring.runtime.plugin.DriverHost;
import dev.mooring.storage.model.CSINode;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The CSI drivers of a node's agent. What calling them needs is loaded when the first one is named or shows its registration socket, of which
 * the kernel tells: a node without drivers does not carry it. Thread-safe.
 */
final class NodeDrivers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeDrivers.class);

    /** After which a cluster that did not answer is asked again. */
    private static final Duration AGAIN = Duration.ofSeconds(10);

    private static final String ESCAPED = "kubernetes.io~csi";
    private static final Path OWN = Path.of("plugins/kubernetes.io/csi");

    private final Supplier<DriverHost> host;
    private final DriverHost.NodeSetup setup;
    private Optional<WatchService> watch = Optional.empty();
    private Optional<DriverHost.OnNode> drivers = Optional.empty();
    private boolean closed;

    /**
     * What has not begun to look for drivers.
     *
     * @param host what calls them, asked for when it is needed
     */
    NodeDrivers(Supplier<DriverHost> host, DriverHost.NodeSetup setup) {
        this.host = host;
        this.setup = setup;
    }

    /**
     * The plugin of drivers' volumes, if some are mounted here already: without it, mounts that have no record cannot be recognised.
     */
    synchronized Optional<StoragePlugin> ofMounted() {
        Path root = setup.root();
        boolean mounted = setup.host()
                .mounts()
                .table()
                .result()
                .map(table -> table.below(root).stream()
                        .map(entry -> root.relativize(entry.mountPoint()))
                        .anyMatch(place ->
                                place.startsWith(OWN) || place.toString().contains("/" + ESCAPED + "/")))
                .orElse(false);
        return mounted ? Optional.of(loaded().plugin()) : Optional.empty();
    }

    private DriverHost.OnNode loaded() {
        DriverHost.OnNode there = drivers.orElseGet(() -> host.get().onNode(setup));
        drivers = Optional.of(there);
        return there;
    }

    /** Begins to look for drivers. */
    synchronized void begin(NodeAgent agent) {
        if (drivers.isPresent()) {
            loaded().start(agent::driverCame);
            return;
        }
        if (!setup.endpoints().isEmpty()) {
            load(agent);
            return;
        }
        Path registry = setup.root().resolve("plugins_registry");
        try {
            Files.createDirectories(registry);
            WatchService service = FileSystems.getDefault().newWatchService();
            watch = Optional.of(service);
            registry.register(service, StandardWatchEventKinds.ENTRY_CREATE);
            if (isEmpty(registry)) {
                Thread thread = new Thread(() -> await(service, agent), "csi-drivers");
                thread.setDaemon(true);
                thread.start();
            } else {
                load(agent);
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

    private void await(WatchService service, NodeAgent agent) {
        try {
            awaitDriver(service);
            load(agent);
        } catch (InterruptedException | ClosedWatchServiceException ended) {
            LOG.debug("no CSI driver has come");
        } catch (RuntimeException broken) {
            LOG.error("CSI drivers cannot be called on this node", broken);
        }
    }

    /**
     * Waits for a driver. One that an earlier process registered and that does not come back counts too, so that it is removed from the
     * node's objects.
     */
    private void awaitDriver(WatchService service) throws InterruptedException {
        boolean asked = false;
        boolean come = false;
        while (!asked && !come) {
            StoreResult<CSINode> node = setup.store()
                    .get(Kinds.CSI_NODE, ObjectKey.cluster(setup.node().name()));
            come = node.value()
                    .filter(there -> !there.spec().drivers().isEmpty())
                    .isPresent();
            asked = node.failure().filter(why -> why != Failure.NOT_FOUND).isEmpty();
            come = come || (!asked && service.poll(AGAIN.toMillis(), TimeUnit.MILLISECONDS) != null);
        }
        if (!come) {
            service.take();
        }
    }

    private synchronized void load(NodeAgent agent) {
        if (closed) {
            return;
        }
        watch.ifPresent(NodeDrivers::end);
        DriverHost.OnNode loaded = loaded();
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
