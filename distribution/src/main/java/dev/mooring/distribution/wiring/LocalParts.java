// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import dev.mooring.attachdetach.AttachDetachOptions;
import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.BinderSwitch;
import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.host.linux.MountTableFeed;
import dev.mooring.runtime.CallLimits;
import dev.mooring.runtime.EventSink;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.runtime.record.MemoryRecordLog;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.storage.builder.WithBuilder;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.volumemanager.content.TokenIssuer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What a {@link LocalCluster} is made of. Immutable.
 *
 * @param store the cluster's objects; stays the caller's
 * @param host what this machine does for plugins
 * @param records the node's memory; stays the caller's
 * @param plugins the plugins installed
 * @param node the name of this machine as a node
 * @param bootId names the running boot of the machine
 * @param root below it volumes are mounted for pods
 * @param events where events for people go
 * @param duties controllers beside those of storage, such as a scheduler
 * @param choice which of all controllers run
 * @param calls is given the handler of the controllers' calls and that of the node's, and answers what is used in their place
 * @param tokens makes the tokens of service accounts that pods show
 * @param mounts follows the mount table, so that mounts that go are missed at once; stays the caller's
 * @param endpoints sockets of CSI drivers by the drivers' names: their controllers are called here, and their nodes need not register
 * @param listener hears of the work of the controllers' loop and of the node's, each on a thread of its own
 */
@WithBuilder
public record LocalParts(
        DocumentStore store,
        HostServices host,
        RecordLog records,
        List<StoragePlugin> plugins,
        String node,
        String bootId,
        Path root,
        EventSink events,
        List<Controller> duties,
        ControllerChoice choice,
        UnaryOperator<CallHandler> calls,
        TokenIssuer tokens,
        Optional<MountTableFeed> mounts,
        Map<String, String> endpoints,
        LoopListener listener)
        implements LocalPartsBuilder.With {
    /** Copies the lists and the map. */
    public LocalParts {
        plugins = List.copyOf(plugins);
        duties = List.copyOf(duties);
        endpoints = Map.copyOf(endpoints);
    }

    /** The parts without which there is no cluster; the node's records live as long as the process, and no listener hears of changes. */
    public static LocalParts of(
            DocumentStore store, HostServices host, List<StoragePlugin> plugins, String node, Path root) {
        return LocalPartsBuilder.builder()
                .store(store)
                .host(host)
                .records(new MemoryRecordLog())
                .plugins(plugins)
                .node(node)
                .bootId("this")
                .root(root)
                .events(EventSink.NONE)
                .duties(List.of())
                .choice(ControllerChoice.ALL)
                .calls(UnaryOperator.identity())
                .tokens(TokenIssuer.NONE)
                .endpoints(Map.of())
                .listener(LoopListener.NONE)
                .build();
    }

    /** The same with records that outlive the process. */
    public LocalParts withRecords(RecordLog log, String newBootId) {
        return with(but -> but.records(log).bootId(newBootId));
    }

    private boolean servesSnapshots() {
        return store.customResources().stored().contains(Kinds.VOLUME_SNAPSHOT);
    }

    /**
     * Those of the controllers.
     *
     * @param drivers the CSI drivers that they call
     * @param self this machine
     */
    ControllerParts forControllers(List<StoragePlugin> drivers, NodeRef self) {
        List<StoragePlugin> all = new ArrayList<>(plugins);
        all.addAll(drivers);
        return ControllerPartsBuilder.builder()
                .store(store.as("controllers"))
                .plugins(all)
                .host(host)
                .events(events)
                .duties(duties)
                .choice(choice)
                .calls(calls)
                .listener(listener)
                .binder(servesSnapshots() ? BinderOptions.DEFAULT.with(BinderSwitch.SNAPSHOTS) : BinderOptions.DEFAULT)
                .attachDetach(AttachDetachOptions.DEFAULT)
                .node(Optional.of(self))
                .limits(CallLimits.DEFAULT)
                .build();
    }

    /** Those of the machine as this node. */
    NodeParts forNode(NodeRef self) {
        return NodePartsBuilder.builder()
                .store(store.as("node/" + node))
                .plugins(plugins)
                .host(host)
                .records(records)
                .node(self)
                .bootId(bootId)
                .root(root)
                .events(events)
                .calls(calls)
                .tokens(tokens)
                .mounts(mounts)
                .endpoints(endpoints)
                .listener(listener)
                .snapshots(servesSnapshots())
                .build();
    }

    /**
     * The same with settings of plugins.
     *
     * @param settings values by setting by the plugin's name
     * @throws IllegalArgumentException if there is no such plugin, or it does not take them; the message names it
     */
    public LocalParts withSettings(Map<String, Map<String, String>> settings) {
        return withPlugins(PluginSettings.apply(plugins, settings));
    }
}
