// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.node;

import dev.mooring.csi.v1.CapacityRange;
import dev.mooring.csi.v1.NodeExpandVolumeRequest;
import dev.mooring.csi.v1.NodeGetVolumeStatsRequest;
import dev.mooring.csi.v1.NodeGetVolumeStatsResponse;
import dev.mooring.csi.v1.NodeGrpc;
import dev.mooring.csi.v1.NodeServiceCapability;
import dev.mooring.csi.v1.VolumeCapability;
import dev.mooring.csi.v1.VolumeUsage;
import dev.mooring.plugin.csi.driver.CallKind;
import dev.mooring.plugin.csi.driver.CsiVolumeSource;
import dev.mooring.plugin.csi.driver.Driver;
import dev.mooring.plugin.csi.driver.Drivers;
import dev.mooring.plugin.csi.driver.SecretTexts;
import dev.mooring.plugin.csi.driver.Sizes;
import dev.mooring.plugin.csi.driver.VolumeCapabilities;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.Health.Condition;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.Statistics.Usage;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.Set;

/** Has a driver grow what a node sees of a volume, and measure it (semantics/csi §6.10, §10.2). Thread-safe. */
public final class NodeGrowth {
    private final Drivers drivers;

    /** Uses the drivers that are here. */
    public NodeGrowth(Drivers drivers) {
        this.drivers = drivers;
    }

    /** Grows a volume where it is staged or published. A driver that asked for it and cannot do it is reported: the claim does not wait. */
    public Outcome<Quantity> expand(OperationContext context, VolumeSpec volume, Path path, Quantity wanted) {
        CsiVolumeSource source = CsiVolumeSource.of(volume);
        return drivers.find(source.driver())
                .then(driver -> driver.nodeAbilities(context).then(abilities -> {
                    if (!abilities.contains(NodeServiceCapability.RPC.Type.EXPAND_VOLUME)) {
                        context.report(Notice.warning(
                                "NodeExpansionUnsupported",
                                "driver " + source.driver()
                                        + " asked for an expansion on the node and has no EXPAND_VOLUME there; the size"
                                        + " that its controller made stands"));
                        return Outcome.done(wanted);
                    }
                    return expand(context, volume, path, wanted, source, driver, abilities);
                }));
    }

    private static Outcome<Quantity> expand(
            OperationContext context,
            VolumeSpec volume,
            Path path,
            Quantity wanted,
            CsiVolumeSource source,
            Driver driver,
            Set<NodeServiceCapability.RPC.Type> abilities) {
        Outcome<VolumeCapability> capability = VolumeCapabilities.onNode(volume, abilities, OptionalInt.empty());
        NodeExpandVolumeRequest.Builder request = NodeExpandVolumeRequest.newBuilder()
                .setVolumeId(source.handle())
                .setVolumePath(path.toString())
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(Sizes.bytes(wanted)));
        if (abilities.contains(NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME)) {
            request.setStagingTargetPath(path.toString());
        }
        return capability
                .then(asked -> SecretTexts.read(context.secrets(), source.secret(CsiVolumeSource.NODE_EXPAND_SECRET))
                        .then(secrets -> driver.call(
                                context,
                                CallKind.EXPAND_ON_NODE,
                                NodeGrpc.getNodeExpandVolumeMethod(),
                                request.setVolumeCapability(asked)
                                        .putAllSecrets(secrets.reveal())
                                        .build(),
                                secrets::hide)))
                .map(answer -> Sizes.larger(wanted, answer.getCapacityBytes()));
    }

    /** Measures a published volume. */
    public Outcome<Usage> usage(OperationContext context, VolumeId volume, Path path) {
        return look(context, volume, path, NodeServiceCapability.RPC.Type.GET_VOLUME_STATS)
                .map(NodeGrowth::usage);
    }

    /** The condition of a published volume; UNSUPPORTED if the driver does not tell it. */
    public Outcome<Condition> condition(OperationContext context, VolumeId volume, Path path) {
        return look(context, volume, path, NodeServiceCapability.RPC.Type.VOLUME_CONDITION)
                .then(answer -> answer.hasVolumeCondition()
                        ? Outcome.done(new Condition(
                                answer.getVolumeCondition().getAbnormal(),
                                answer.getVolumeCondition().getMessage()))
                        : Outcome.refused(
                                Refusal.UNSUPPORTED,
                                "driver " + NodePaths.driver(volume) + " told no condition of the volume"));
    }

    private Outcome<NodeGetVolumeStatsResponse> look(
            OperationContext context, VolumeId volume, Path path, NodeServiceCapability.RPC.Type ability) {
        return drivers.find(NodePaths.driver(volume))
                .then(driver -> driver.nodeAbilities(context)
                        .then(abilities -> abilities.contains(NodeServiceCapability.RPC.Type.GET_VOLUME_STATS)
                                        && abilities.contains(ability)
                                ? driver.call(
                                        context,
                                        CallKind.LOOK,
                                        NodeGrpc.getNodeGetVolumeStatsMethod(),
                                        NodeGetVolumeStatsRequest.newBuilder()
                                                .setVolumeId(NodePaths.handle(volume))
                                                .setVolumePath(path.toString())
                                                .build())
                                : Outcome.refused(
                                        Refusal.UNSUPPORTED,
                                        "driver " + NodePaths.driver(volume) + " has no " + ability)));
    }

    private static Usage usage(NodeGetVolumeStatsResponse answer) {
        VolumeUsage bytes = of(answer, VolumeUsage.Unit.BYTES);
        VolumeUsage inodes = of(answer, VolumeUsage.Unit.INODES);
        return new Usage(
                bytes.getTotal(), bytes.getUsed(), bytes.getAvailable(), inodes.getTotal(), inodes.getAvailable());
    }

    private static VolumeUsage of(NodeGetVolumeStatsResponse answer, VolumeUsage.Unit unit) {
        return answer.getUsageList().stream()
                .filter(usage -> usage.getUnit() == unit)
                .findFirst()
                .orElse(VolumeUsage.getDefaultInstance());
    }
}
