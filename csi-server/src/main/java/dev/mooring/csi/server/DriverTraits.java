// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.csi.v1.ControllerServiceCapability;
import dev.mooring.csi.v1.NodeServiceCapability;
import dev.mooring.csi.v1.Topology;
import dev.mooring.runtime.plugin.PluginServer;
import dev.mooring.storage.spi.Attaching;
import dev.mooring.storage.spi.BlockMapping;
import dev.mooring.storage.spi.Capability;
import dev.mooring.storage.spi.CapacityReporting;
import dev.mooring.storage.spi.Cloning;
import dev.mooring.storage.spi.ControllerExpanding;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.Health;
import dev.mooring.storage.spi.Modifying;
import dev.mooring.storage.spi.NodeExpanding;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.Snapshotting;
import dev.mooring.storage.spi.Staging;
import dev.mooring.storage.spi.Statistics;
import dev.mooring.storage.spi.StoragePlugin;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a plugin is as a driver. Pure; equal on all nodes but for the node's own name and topology.
 *
 * @param plugin the plugin
 * @param settings how it is shown
 */
record DriverTraits(StoragePlugin plugin, PluginServer.Settings settings) {
    /** The version of the format, which tells the id from one of another driver. */
    static final String NODE_BEGIN = "m1/";

    /** How the prefix of the topology's key begins, which ends with the driver's name and has at most 63 characters. */
    static final String TOPOLOGY_BEGIN = "topology.";

    /** What a plugin can do, however it is shown. */
    static PluginServer.Abilities abilities(StoragePlugin plugin) {
        DriverTraits traits =
                new DriverTraits(plugin, new PluginServer.Settings("", "", "", "", true, true, Path.of("")));
        return new PluginServer.Abilities(
                traits.makes(),
                traits.can(Attaching.class),
                traits.bound(),
                traits.measuresCapacity(),
                traits.can(ControllerExpanding.class),
                traits.can(Modifying.class),
                traits.makesInline(),
                traits.can(Staging.class),
                plugin.describe().managesOwnership());
    }

    /** The capability that the plugin must have for an rpc. */
    <C extends Capability> C need(Class<C> type) throws RpcFailure {
        return plugin.capability(type)
                .orElseThrow(() -> RpcFailure.unimplemented(
                        "plugin " + plugin.describe().name() + " has no capability " + type.getSimpleName()));
    }

    boolean can(Class<? extends Capability> type) {
        return plugin.capability(type).isPresent();
    }

    NodeRef here() {
        return new NodeRef(settings.nodeId(), settings.nodeId());
    }

    /** Whether storage is where it was made, and nowhere else. */
    boolean bound() {
        return plugin.describe().reclaimPlace() == Place.NODE;
    }

    /** Whether it shows storage on nodes at all. */
    boolean shows() {
        return can(Publishing.class) || can(BlockMapping.class);
    }

    /** Whether a volume may be written in a pod: made on the pod's node, of what the node has, and gone with the pod. */
    boolean makesInline() {
        return bound() && makes() && can(Publishing.class) && !can(Staging.class);
    }

    /** Whether it says how much space is left: the plugin does, or it keeps a directory on this node. */
    boolean measuresCapacity() {
        return makes()
                && (can(CapacityReporting.class)
                        || (bound() && !plugin.keptDirectories().isEmpty()));
    }

    /** Whether the plugin gives all files to a pod's group itself. */
    boolean givesToGroup() {
        return plugin.capability(Publishing.class)
                .filter(publishing -> publishing.givesToGroup(PluginState.NONE))
                .isPresent();
    }

    boolean makes() {
        return can(Provisioning.class) && can(Deleting.class);
    }

    /** The id of this node for callers. If volumes are attached to nodes, it says that it is a node's. */
    String nodeId() {
        return can(Attaching.class) ? NODE_BEGIN + settings.nodeId() : settings.nodeId();
    }

    /** The node that an id means; empty if no node of this driver can have it. */
    Optional<NodeRef> node(String id) {
        return id.startsWith(NODE_BEGIN) && id.length() > NODE_BEGIN.length()
                ? Optional.of(new NodeRef(id.substring(NODE_BEGIN.length()), id.substring(NODE_BEGIN.length())))
                : Optional.empty();
    }

    /** Where this node's storage can be reached from. */
    Topology topology() {
        return Topology.newBuilder()
                .putSegments(TOPOLOGY_BEGIN + settings.driverName() + "/node", settings.nodeId())
                .build();
    }

    List<ControllerServiceCapability.RPC.Type> controllerCapabilities() {
        List<ControllerServiceCapability.RPC.Type> all = new ArrayList<>();
        if (makes()) {
            all.add(ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME);
            all.add(ControllerServiceCapability.RPC.Type.LIST_VOLUMES);
        }
        if (can(Attaching.class)) {
            all.add(ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME);
        }
        if (measuresCapacity()) {
            all.add(ControllerServiceCapability.RPC.Type.GET_CAPACITY);
        }
        if (makes() && can(Snapshotting.class)) {
            all.add(ControllerServiceCapability.RPC.Type.CREATE_DELETE_SNAPSHOT);
            all.add(ControllerServiceCapability.RPC.Type.LIST_SNAPSHOTS);
        }
        if (makes() && can(Cloning.class)) {
            all.add(ControllerServiceCapability.RPC.Type.CLONE_VOLUME);
        }
        if (can(ControllerExpanding.class)) {
            all.add(ControllerServiceCapability.RPC.Type.EXPAND_VOLUME);
        }
        if (can(Modifying.class)) {
            all.add(ControllerServiceCapability.RPC.Type.MODIFY_VOLUME);
        }
        if (can(Health.class)) {
            all.add(ControllerServiceCapability.RPC.Type.GET_VOLUME);
            all.add(ControllerServiceCapability.RPC.Type.VOLUME_CONDITION);
        }
        all.add(ControllerServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER);
        return List.copyOf(all);
    }

    List<NodeServiceCapability.RPC.Type> nodeCapabilities() {
        List<NodeServiceCapability.RPC.Type> all = new ArrayList<>();
        if (can(Staging.class)) {
            all.add(NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME);
        }
        if (can(Statistics.class)) {
            all.add(NodeServiceCapability.RPC.Type.GET_VOLUME_STATS);
        }
        if (can(NodeExpanding.class)) {
            all.add(NodeServiceCapability.RPC.Type.EXPAND_VOLUME);
        }
        if (givesToGroup()) {
            all.add(NodeServiceCapability.RPC.Type.VOLUME_MOUNT_GROUP);
        }
        all.add(NodeServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER);
        return List.copyOf(all);
    }
}
