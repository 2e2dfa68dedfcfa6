// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server.circle;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.csi.server.CsiPluginServer;
import dev.mooring.runtime.EventSink;
import dev.mooring.runtime.metrics.DriverCallMetrics;
import dev.mooring.runtime.plugin.DriverHost;
import dev.mooring.runtime.plugin.DriverTokens;
import dev.mooring.runtime.plugin.PluginServer;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.CSIDriverSpec;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** A plugin that is served as a driver on a socket, and this driver as Mooring calls drivers: a plugin again. */
final class Circle implements AutoCloseable {
    static final String DRIVER = "circle.csi.example.com";
    private static final long PATIENCE_SECONDS = 60;

    final ForwardedHost host = new ForwardedHost();
    final AtomicReference<StoragePlugin> served = new AtomicReference<>();
    final MemoryClusterStore store = new MemoryClusterStore(
            StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(5))));
    final StoragePlugin controllers;
    final StoragePlugin node;

    /** The driver's socket and the node's directory of sockets. */
    final Path directory;

    private final PluginServer.Serving driver;
    private final DriverHost.InControllers inControllers;
    private final DriverHost.OnNode onNode;

    /**
     * Begins to serve.
     *
     * @param plugin the first plugin that is served; {@link #served} has the later ones
     * @param machine the directory of the machine on which the driver works
     * @param here the node
     */
    Circle(StoragePlugin plugin, Path machine, NodeRef here) {
        served.set(plugin);
        try {
            directory = Files.createTempDirectory("mooring-circle").toRealPath();
            String endpoint = "unix://" + directory.resolve("csi.sock");
            driver = new CsiPluginServer()
                    .serve(
                            new Replaceable(served),
                            host.asHost(),
                            InstantSource.system(),
                            new PluginServer.Settings(
                                    DRIVER, "1", endpoint, here.name(), true, true, machine.resolve("driver")));
            store.create(Kinds.NODE, Node.of(here.name())).orThrow();
            store.create(
                            Kinds.CSI_DRIVER,
                            new CSIDriver(
                                    ObjectMeta.named(DRIVER),
                                    CSIDriverSpec.EMPTY
                                            .withAttachRequired(Optional.of(false))
                                            .withPodInfoOnMount(Optional.of(false))))
                    .orThrow();
            Circle.class.getModule().addUses(DriverHost.class);
            DriverHost drivers =
                    ServiceLoader.load(DriverHost.class).findFirst().orElseThrow();
            inControllers = drivers.inControllers(store, Map.of(DRIVER, endpoint), DriverCallMetrics.ofControllers());
            controllers = inControllers.plugins().get(0);
            onNode = drivers.onNode(new DriverHost.NodeSetup(
                    store,
                    host.asHost(),
                    here,
                    directory.resolve("kubelet"),
                    Map.of(DRIVER, endpoint),
                    EventSink.NONE,
                    DriverTokens.NONE,
                    DriverCallMetrics.ofNode()));
            node = onNode.plugin();
            CountDownLatch came = new CountDownLatch(1);
            onNode.start(came::countDown);
            if (!came.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the driver has not come");
            }
            VolumeSource nothing =
                    new VolumeSource("csi", Document.of(Map.of("driver", DRIVER, "volumeHandle", "of-another-driver")));
            Outcome<Nothing> first = controllers
                    .capability(Deleting.class)
                    .orElseThrow()
                    .delete(
                            new FirstCall(),
                            new VolumeSpec(
                                    "nothing",
                                    "nothing",
                                    nothing,
                                    List.of(AccessMode.READ_WRITE_ONCE),
                                    VolumeMode.FILESYSTEM,
                                    Quantity.ZERO,
                                    List.of(),
                                    Map.of()));
            // A driver that deletes nothing refuses.
            if (!first.isDone() && !first.isRefused()) {
                throw new IllegalStateException("the driver does not answer: " + first.message());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        onNode.close();
        inControllers.close();
        driver.close();
        store.close();
        remove(directory);
    }

    private static void remove(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
