// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.csi.v1.ControllerServiceCapability;
import dev.mooring.csi.v1.NodeServiceCapability;
import dev.mooring.csi.v1.Topology;
import dev.mooring.runtime.plugin.PluginServer;
import dev.mooring.storage.spi.Attaching;
import dev.mooring.storage.spi.Capability;
import dev.mooring.storage.spi.ControllerExpanding;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.Health;
import dev.mooring.storage.spi.Modifying;
import dev.mooring.storage.spi.NodeExpanding;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.Staging;
import dev.mooring.storage.spi.Statistics;
import dev.mooring.storage.spi.StoragePlugin;
import java.util.ArrayList;
import java.util.List;

/**
 * What a plugin is as a driver. Pure; equal on all nodes but for the node's own name and topology.
 *
 * @param plugin the plugin
 * @param settings how it is shown
 */
record DriverTraits(StoragePlugin plugin, PluginServer.Settings settings) {
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

    /** The directory whose free space is the driver's capacity; none if the plugin keeps none on this node. */
    boolean measuresCapacity() {
        return bound() && makes() && !plugin.keptDirectories().isEmpty();
    }

    boolean makes() {
        return can(Provisioning.class) && can(Deleting.class);
    }

    /** Where this node's storage can be reached from. */
    Topology topology() {
        return Topology.newBuilder()
                .putSegments("topology." + settings.driverName() + "/node", settings.nodeId())
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
        all.add(NodeServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER);
        return List.copyOf(all);
    }
}
