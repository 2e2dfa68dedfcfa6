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
 * @param events where news for people go
 * @param duties controllers beside those of storage, such as a scheduler
 * @param choice which of all controllers run
 * @param calls is given the handler of the controllers' calls and that of the node's, and answers what is used in their place
 * @param tokens makes the tokens of service accounts that pods show
 * @param mounts follows the mount table, so that mounts that go are missed at once; stays the caller's
 * @param endpoints sockets of CSI drivers by the drivers' names: their controllers are called here, and their nodes need not register
 * @param listener hears of the work of the controllers' loop and of the node's, each on a thread of its own
 */
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
        LoopListener listener) {
    /** Copies the lists and the map. */
    public LocalParts {
        plugins = List.copyOf(plugins);
        duties = List.copyOf(duties);
        endpoints = Map.copyOf(endpoints);
    }

    /** The parts without which there is no cluster; the node's records live as long as the process, nobody hears the news. */
    public static LocalParts of(
            DocumentStore store, HostServices host, List<StoragePlugin> plugins, String node, Path root) {
        return new LocalParts(
                store,
                host,
                new MemoryRecordLog(),
                plugins,
                node,
                "this",
                root,
                EventSink.NONE,
                List.of(),
                ControllerChoice.ALL,
                UnaryOperator.identity(),
                TokenIssuer.NONE,
                Optional.empty(),
                Map.of(),
                LoopListener.NONE);
    }

    /** The same with records that outlive the process. */
    public LocalParts withRecords(RecordLog log, String newBootId) {
        return new LocalParts(
                store, host, log, plugins, node, newBootId, root, events, duties, choice, calls, tokens, mounts, endpoints,
                listener);
    }

    /** The same with a receiver of news. */
    public LocalParts withEvents(EventSink sink) {
        return new LocalParts(
                store, host, records, plugins, node, bootId, root, sink, duties, choice, calls, tokens, mounts, endpoints,
                listener);
    }

    /** The same with something around every call. */
    public LocalParts withCalls(UnaryOperator<CallHandler> around) {
        return new LocalParts(
                store, host, records, plugins, node, bootId, root, events, duties, choice, around, tokens, mounts, endpoints,
                listener);
    }

    /** The same with tokens of service accounts. */
    public LocalParts withTokens(TokenIssuer issuer) {
        return new LocalParts(
                store, host, records, plugins, node, bootId, root, events, duties, choice, calls, issuer, mounts, endpoints,
                listener);
    }

    /** The same with a listener to both loops. */
    public LocalParts withListener(LoopListener hears) {
        return new LocalParts(
                store, host, records, plugins, node, bootId, root, events, duties, choice, calls, tokens, mounts, endpoints,
                hears);
    }

    /** The same with controllers beside those of storage. */
    public LocalParts withDuties(List<Controller> more) {
        return new LocalParts(
                store, host, records, plugins, node, bootId, root, events, more, choice, calls, tokens, mounts, endpoints,
                listener);
    }

    /** The same with some of the controllers only. */
    public LocalParts withChoice(ControllerChoice chosen) {
        return new LocalParts(
                store, host, records, plugins, node, bootId, root, events, duties, chosen, calls, tokens, mounts,
                endpoints, listener);
    }

    /** The same on a machine whose mount table is followed. */
    public LocalParts withMounts(MountTableFeed feed) {
        return new LocalParts(
                store,
                host,
                records,
                plugins,
                node,
                bootId,
                root,
                events,
                duties,
                choice,
                calls,
                tokens,
                Optional.of(feed),
                endpoints,
                listener);
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
        return new ControllerParts(
                store.as("controllers"),
                all,
                host,
                events,
                duties,
                choice,
                calls,
                listener,
                servesSnapshots() ? BinderOptions.DEFAULT.with(BinderSwitch.SNAPSHOTS) : BinderOptions.DEFAULT,
                AttachDetachOptions.DEFAULT,
                Optional.of(self),
                CallLimits.DEFAULT);
    }

    /** Those of the machine as this node. */
    NodeParts forNode(NodeRef self) {
        return new NodeParts(
                store.as("node/" + node),
                plugins,
                host,
                records,
                self,
                bootId,
                root,
                events,
                calls,
                tokens,
                mounts,
                endpoints,
                listener,
                servesSnapshots());
    }

    /** The same with CSI drivers whose sockets are named. */
    public LocalParts withEndpoints(Map<String, String> named) {
        return new LocalParts(
                store, host, records, plugins, node, bootId, root, events, duties, choice, calls, tokens, mounts, named,
                listener);
    }

    /**
     * The same with settings of plugins.
     *
     * @param settings values by setting by the plugin's name
     * @throws IllegalArgumentException if there is no such plugin, or it does not take them; the message names it
     */
    public LocalParts withSettings(Map<String, Map<String, String>> settings) {
        List<StoragePlugin> configured = PluginSettings.apply(plugins, settings);
        return new LocalParts(
                store,
                host,
                records,
                configured,
                node,
                bootId,
                root,
                events,
                duties,
                choice,
                calls,
                tokens,
                mounts,
                endpoints,
                listener);
    }
}
