// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server.circle;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.csi.server.CsiPluginServer;
import dev.mooring.runtime.plugin.DriverHost;
import dev.mooring.runtime.plugin.PluginServer;
import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.CSIDriverSpec;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.StoragePlugin;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;

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

    private final Path directory;
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
                    .orElseThrow();
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
    }
}
