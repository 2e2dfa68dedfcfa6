// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.attachdetach.AttachDetach;
import dev.mooring.attachdetach.AttachDetachOptions;
import dev.mooring.attachdetach.calls.AttachDetachCallHandler;
import dev.mooring.binder.Binder;
import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.calls.BinderCallHandler;
import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.RuntimeOptions;
import dev.mooring.runtime.StoreEventSink;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.plugin.StoreNotes;
import dev.mooring.runtime.plugin.StoreSecrets;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.VolumeManager;
import dev.mooring.volumemanager.calls.NodeCallHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;

/** Controllers and a node's agent of one's own: the example of docs/embedding.md. */
final class AttachingExample {
    private AttachingExample() {}

    static ControllerRuntime controllers(ClusterStore store, PluginRegistry plugins) {
        // controllers begin
        var secrets = new StoreSecrets(store);
        var controllers = new ArrayList<>(new Binder(BinderOptions.DEFAULT, plugins).controllers());
        controllers.addAll(AttachDetach.controllers(AttachDetachOptions.DEFAULT, plugins));
        var calls = CallHandler.choosing(
                AttachDetachCallHandler::handles,
                new AttachDetachCallHandler(plugins, HostServices.none(), secrets),
                new BinderCallHandler(plugins, HostServices.none(), secrets));
        var options = RuntimeOptions.defaults()
                .withName("controllers")
                .withCalls(calls)
                .withEvents(new StoreEventSink(store, TimeSource.system()));
        return new ControllerRuntime(store, controllers, options).start();
        // controllers end
    }

    static ControllerRuntime agent(
            ClusterStore store, String name, PluginRegistry plugins, RecordLog records, Path root) throws IOException {
        // agent begins
        store.create(Kinds.NODE, Node.of(name)); // the first time; afterwards it is there
        var node = store.get(Kinds.NODE, ObjectKey.cluster(name)).orThrow();
        var boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
        var config = NodeConfig.standalone(new NodeRef(name, node.metadata().uid()), boot, root);
        var layout = new LinuxHostLayout(
                root.resolve("state"), root.resolve("orphans"), KeptPlaces.in(root.resolve("places")));
        var host = LinuxHost.ofThisMachine(layout).orElseThrow();
        var calls = new NodeCallHandler(config.node(), root, plugins, records, host, new StoreSecrets(store))
                .withNotes(volume -> StoreNotes.of(store, volume)); // what was formatted is known on every node
        var options = RuntimeOptions.defaults()
                .withName("node")
                .withCalls(calls)
                .withEvents(new StoreEventSink(store, TimeSource.system())); // pods are told why they wait
        return new ControllerRuntime(store, VolumeManager.controllers(config, plugins, records.replay()), options)
                .start();
        // agent ends
    }
}
