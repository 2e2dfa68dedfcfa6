// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.RuntimeOptions;
import dev.mooring.runtime.StoreEventSink;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.plugin.StoreNotes;
import dev.mooring.runtime.plugin.StoreSecrets;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.store.embedded.EmbeddedRecordLog;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.VolumeManager;
import dev.mooring.volumemanager.calls.NodeCallHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The agent of one node, with directories, records and an initiator name of its own, beside others on this kernel. */
final class Agent implements AutoCloseable {
    private final Path base;
    private final EmbeddedRecordLog records;
    private final ControllerRuntime runtime;

    /**
     * Starts it.
     *
     * @param changed is called after everything that the agent changed on the machine
     */
    Agent(String name, Path base, DocumentStore cluster, Runnable changed) {
        this.base = base;
        try {
            Files.createDirectories(root());
            Files.createDirectories(base.resolve("state"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        DocumentStore store = cluster.as("node/" + name);
        NodeRef node = new NodeRef(
                name,
                store.create(Kinds.NODE, Node.of(name)).orThrow().metadata().uid());
        LinuxHost host = LinuxHost.ofThisMachine(new LinuxHostLayout(
                        base.resolve("state"), base.resolve("orphans"), KeptPlaces.in(base.resolve("places"))))
                .orElseThrow();
        records = EmbeddedRecordLog.open(base.resolve("records"));
        Boundaries boundaries = Boundaries.each(changed);
        String initiator = "iqn.2026-01.dev.mooring:" + name;
        List<StoragePlugin> named = GuestWorld.plugins().stream()
                .map(plugin -> Initiators.named(initiator, plugin))
                .toList();
        PluginRegistry plugins = new PluginRegistry(named);
        RecordLog log = boundaries.around(records);
        NodeCallHandler calls = new NodeCallHandler(
                        node, root(), plugins, log, boundaries.around(host), new StoreSecrets(store))
                .withNotes(volume -> StoreNotes.of(store, volume));
        runtime = new ControllerRuntime(
                store,
                VolumeManager.controllers(
                        NodeConfig.standalone(node, MachineView.bootId(), root()), plugins, log.replay()),
                RuntimeOptions.defaults()
                        .withName(name)
                        .withEvents(new StoreEventSink(store, TimeSource.system()))
                        .withCalls(calls));
        runtime.start();
    }

    /** Below it volumes are mounted for pods. */
    Path root() {
        return base.resolve("kubelet");
    }

    /** What the agent still knows of. */
    List<?> remembered() {
        return List.copyOf(RecordLog.standing(records.replay()).values());
    }

    /** What was found in mount points of its own when it took them away. */
    List<String> putAside() {
        return MachineView.names(base.resolve("orphans"));
    }

    void quiet() {
        runtime.whenQuiescent().join();
    }

    @Override
    public void close() {
        runtime.close();
        records.close();
    }
}
