// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.controller;

import dev.mooring.csi.v1.CapacityRange;
import dev.mooring.csi.v1.ControllerExpandVolumeRequest;
import dev.mooring.csi.v1.ControllerGrpc;
import dev.mooring.csi.v1.ControllerModifyVolumeRequest;
import dev.mooring.csi.v1.ControllerServiceCapability;
import dev.mooring.csi.v1.NodeServiceCapability;
import dev.mooring.plugin.csi.driver.CallKind;
import dev.mooring.plugin.csi.driver.CsiVolumeSource;
import dev.mooring.plugin.csi.driver.Driver;
import dev.mooring.plugin.csi.driver.Drivers;
import dev.mooring.plugin.csi.driver.SecretTexts;
import dev.mooring.plugin.csi.driver.Sizes;
import dev.mooring.plugin.csi.driver.VolumeCapabilities;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.ControllerExpanding.Expansion;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeSpec;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Has a driver grow volumes, and give them other attributes (semantics/csi §10, §11). Thread-safe. */
public final class Changer {
    private final String name;
    private final Drivers drivers;

    /** Changes volumes of a driver. */
    public Changer(String name, Drivers drivers) {
        this.name = name;
        this.drivers = drivers;
    }

    /** Grows a volume. Of a driver whose nodes alone grow volumes the size is taken for granted, and the node does the rest. */
    public Outcome<Expansion> expand(OperationContext context, VolumeSpec volume, Quantity wanted) {
        return drivers.find(name)
                .then(driver -> driver.controllerAbilities(context)
                        .then(abilities -> abilities.contains(ControllerServiceCapability.RPC.Type.EXPAND_VOLUME)
                                ? expand(context, volume, wanted, driver, abilities)
                                : byNode(context, wanted, driver)));
    }

    private Outcome<Expansion> byNode(OperationContext context, Quantity wanted, Driver driver) {
        return driver.nodeAbilities(context)
                .then(abilities -> abilities.contains(NodeServiceCapability.RPC.Type.EXPAND_VOLUME)
                        ? Outcome.done(new Expansion(wanted, true))
                        : Outcome.refused(Refusal.UNSUPPORTED, "driver " + name + " does not expand volumes"));
    }

    private static Outcome<Expansion> expand(
            OperationContext context,
            VolumeSpec volume,
            Quantity wanted,
            Driver driver,
            Set<ControllerServiceCapability.RPC.Type> abilities) {
        CsiVolumeSource source = CsiVolumeSource.of(volume);
        return VolumeCapabilities.of(
                        volume, abilities.contains(ControllerServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER))
                .then(capability -> SecretTexts.read(context.secrets(), source.secret(CsiVolumeSource.EXPAND_SECRET))
                        .then(secrets -> driver.call(
                                context,
                                CallKind.EXPAND,
                                ControllerGrpc.getControllerExpandVolumeMethod(),
                                ControllerExpandVolumeRequest.newBuilder()
                                        .setVolumeId(source.handle())
                                        .setCapacityRange(
                                                CapacityRange.newBuilder().setRequiredBytes(Sizes.bytes(wanted)))
                                        .setVolumeCapability(capability)
                                        .putAllSecrets(secrets.reveal())
                                        .build(),
                                secrets::hide)))
                .map(answer -> new Expansion(
                        Sizes.larger(wanted, answer.getCapacityBytes()), answer.getNodeExpansionRequired()));
    }

    /** Gives a volume other attributes. */
    public Outcome<Nothing> modify(OperationContext context, VolumeSpec volume, Map<String, String> attributes) {
        return drivers.find(name)
                .then(driver -> driver.controllerAbilities(context)
                        .then(abilities -> abilities.contains(ControllerServiceCapability.RPC.Type.MODIFY_VOLUME)
                                ? modify(context, volume, attributes, driver)
                                : Outcome.refused(Refusal.UNSUPPORTED, "driver " + name + " does not modify volumes")));
    }

    private static Outcome<Nothing> modify(
            OperationContext context, VolumeSpec volume, Map<String, String> attributes, Driver driver) {
        CsiVolumeSource source = CsiVolumeSource.of(volume);
        Optional<ObjectKey> secret =
                SecretAnnotations.MODIFY.of(volume).or(() -> source.secret(CsiVolumeSource.EXPAND_SECRET));
        return SecretTexts.read(context.secrets(), secret)
                .then(secrets -> driver.call(
                        context,
                        CallKind.MODIFY,
                        ControllerGrpc.getControllerModifyVolumeMethod(),
                        ControllerModifyVolumeRequest.newBuilder()
                                .setVolumeId(source.handle())
                                .putAllMutableParams(attributes)
                                .putAllSecrets(secrets.reveal())
                                .build(),
                        secrets::hide))
                .map(done -> Nothing.NOTHING);
    }
}
