// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.controller;

import dev.mooring.csi.v1.ControllerGrpc;
import dev.mooring.csi.v1.ControllerPublishVolumeRequest;
import dev.mooring.csi.v1.ControllerPublishVolumeResponse;
import dev.mooring.csi.v1.ControllerServiceCapability;
import dev.mooring.csi.v1.ControllerUnpublishVolumeRequest;
import dev.mooring.plugin.csi.driver.CallKind;
import dev.mooring.plugin.csi.driver.CsiVolumeSource;
import dev.mooring.plugin.csi.driver.Driver;
import dev.mooring.plugin.csi.driver.Drivers;
import dev.mooring.plugin.csi.driver.SecretTexts;
import dev.mooring.plugin.csi.driver.VolumeCapabilities;
import dev.mooring.storage.model.AttachmentNames;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Has a driver attach volumes to nodes and detach them (semantics/csi §9). A driver without PUBLISH_UNPUBLISH_VOLUME attaches nothing: its
 * volumes count as attached at once. Thread-safe.
 */
public final class DriverAttacher {
    private final String name;
    private final Drivers drivers;
    private final NodeIds nodes;

    /**
     * Attaches volumes of a driver.
     *
     * @param name the driver
     * @param nodes how the driver calls the nodes
     */
    public DriverAttacher(String name, Drivers drivers, NodeIds nodes) {
        this.name = name;
        this.drivers = drivers;
        this.nodes = nodes;
    }

    /** Attaches a volume to a node; attaching it again there is done. */
    public Outcome<Map<String, String>> attach(OperationContext context, VolumeSpec volume, NodeRef node) {
        return drivers.find(name)
                .then(driver -> driver.controllerAbilities(context)
                        .then(abilities -> publishes(abilities)
                                ? attach(context, volume, node, driver, abilities)
                                : Outcome.done(Map.of())));
    }

    private static boolean publishes(Set<ControllerServiceCapability.RPC.Type> abilities) {
        return abilities.contains(ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME);
    }

    private Outcome<Map<String, String>> attach(
            OperationContext context,
            VolumeSpec volume,
            NodeRef node,
            Driver driver,
            Set<ControllerServiceCapability.RPC.Type> abilities) {
        CsiVolumeSource source = CsiVolumeSource.of(volume);
        boolean readOnly =
                source.csi().readOnly() && abilities.contains(ControllerServiceCapability.RPC.Type.PUBLISH_READONLY);
        String attachment = AttachmentNames.of(source.handle(), name, node.name());
        return VolumeCapabilities.of(
                        volume, abilities.contains(ControllerServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER))
                .then(capability -> nodes.registered(name, node)
                        .then(id -> nodes.note(attachment, id).map(noted -> id))
                        .then(id -> SecretTexts.read(context.secrets(), source.secret(CsiVolumeSource.ATTACH_SECRET))
                                .then(secrets -> driver.call(
                                        context,
                                        CallKind.ATTACH,
                                        ControllerGrpc.getControllerPublishVolumeMethod(),
                                        ControllerPublishVolumeRequest.newBuilder()
                                                .setVolumeId(source.handle())
                                                .setNodeId(id)
                                                .setVolumeCapability(capability)
                                                .setReadonly(readOnly)
                                                .putAllSecrets(secrets.reveal())
                                                .putAllVolumeContext(source.attributes())
                                                .build(),
                                        secrets::hide))))
                .map(ControllerPublishVolumeResponse::getPublishContextMap)
                .map(TreeMap::new);
    }

    /** Detaches a volume from a node. Without its secret, if that cannot be read any more. */
    public Outcome<Nothing> detach(OperationContext context, VolumeId volume, NodeRef node) {
        return drivers.find(name)
                .then(driver -> driver.controllerAbilities(context)
                        .then(abilities ->
                                publishes(abilities) ? detach(context, volume, node, driver) : Outcome.done()));
    }

    private Outcome<Nothing> detach(OperationContext context, VolumeId volume, NodeRef node, Driver driver) {
        String attachment = AttachmentNames.of(volume.backend(), name, node.name());
        Optional<ObjectKey> secret = nodes.secretOf(attachment);
        SecretTexts secrets = SecretTexts.readIfPossible(context.secrets(), secret);
        return nodes.ofAttachment(name, node, attachment)
                .then(id -> driver.call(
                        context,
                        CallKind.DETACH,
                        ControllerGrpc.getControllerUnpublishVolumeMethod(),
                        ControllerUnpublishVolumeRequest.newBuilder()
                                .setVolumeId(volume.backend())
                                .setNodeId(id)
                                .putAllSecrets(secrets.reveal())
                                .build(),
                        secrets::hide))
                .map(done -> Nothing.NOTHING);
    }
}
