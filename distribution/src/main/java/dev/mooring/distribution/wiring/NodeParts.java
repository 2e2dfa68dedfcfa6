// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import dev.mooring.host.linux.MountTableFeed;
import dev.mooring.runtime.EventSink;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.storage.builder.WithBuilder;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.volumemanager.content.TokenIssuer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What the node's side of a control plane is made of. Immutable.
 *
 * @param store the cluster's objects, as the node sees them; stays the caller's
 * @param plugins the plugins installed
 * @param host what this machine does for plugins
 * @param records the node's memory; stays the caller's
 * @param node this machine as a node
 * @param bootId names the running boot of the machine
 * @param root below it volumes are mounted for pods
 * @param events where events for people go
 * @param calls is given the handler of the node's calls, and answers what is used in its place
 * @param tokens makes the tokens of service accounts that pods show
 * @param mounts follows the mount table, so that mounts that go are missed at once; stays the caller's
 * @param endpoints sockets of CSI drivers that do not register, by the drivers' names
 * @param listener hears of the work of the loop, on a thread of its own
 * @param snapshots whether the store serves snapshots
 */
@WithBuilder
public record NodeParts(
        ClusterStore store,
        List<StoragePlugin> plugins,
        HostServices host,
        RecordLog records,
        NodeRef node,
        String bootId,
        Path root,
        EventSink events,
        UnaryOperator<CallHandler> calls,
        TokenIssuer tokens,
        Optional<MountTableFeed> mounts,
        Map<String, String> endpoints,
        LoopListener listener,
        boolean snapshots)
        implements NodePartsBuilder.With {
    /** Copies list and map. */
    public NodeParts {
        plugins = List.copyOf(plugins);
        endpoints = Map.copyOf(endpoints);
    }
}
