// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.node;

import dev.mooring.csi.v1.NodeGrpc;
import dev.mooring.csi.v1.NodeServiceCapability;
import dev.mooring.csi.v1.NodeStageVolumeRequest;
import dev.mooring.csi.v1.NodeUnstageVolumeRequest;
import dev.mooring.csi.v1.VolumeCapability;
import dev.mooring.plugin.csi.driver.CallKind;
import dev.mooring.plugin.csi.driver.CsiVolumeSource;
import dev.mooring.plugin.csi.driver.Driver;
import dev.mooring.plugin.csi.driver.Drivers;
import dev.mooring.plugin.csi.driver.SecretTexts;
import dev.mooring.plugin.csi.driver.VolumeCapabilities;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.StageRequest;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import java.nio.file.Path;
import java.util.Set;

/** Has a driver stage volumes and undo it (semantics/csi §6.2, §6.4). Thread-safe. */
public final class NodeStager {
    /** What a record says of a volume that the driver staged. */
    private static final PluginState STAGED = new PluginState(1, "staged");

    /** What a record says of a volume of a driver that stages nothing. */
    private static final PluginState UNSTAGED = new PluginState(1, "nothing");

    private final Drivers drivers;

    /** Uses the drivers that are here. */
    public NodeStager(Drivers drivers) {
        this.drivers = drivers;
    }

    /** Whether the driver has, or may have, staged the volume. */
    public static boolean isStaged(PluginState state) {
        return !state.equals(UNSTAGED);
    }

    /** Stages a volume, if its driver stages volumes. */
    public Outcome<PluginState> stage(OperationContext context, StageRequest request) {
        CsiVolumeSource source = CsiVolumeSource.of(request.volume());
        return drivers.find(source.driver())
                .then(driver -> driver.nodeAbilities(context)
                        .then(abilities -> stages(abilities)
                                ? stage(context, request, source, driver, abilities)
                                : Outcome.done(UNSTAGED)));
    }

    private static boolean stages(Set<NodeServiceCapability.RPC.Type> abilities) {
        return abilities.contains(NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME);
    }

    private static Outcome<PluginState> stage(
            OperationContext context,
            StageRequest request,
            CsiVolumeSource source,
            Driver driver,
            Set<NodeServiceCapability.RPC.Type> abilities) {
        VolumeSpec volume = request.volume();
        boolean fileSystem = volume.mode() == VolumeMode.FILESYSTEM;
        VolumeDataFile file = VolumeDataFile.beside(request.stagingPath());
        boolean notedBefore = fileSystem && file.read(context).isDone();
        Outcome<VolumeCapability> capability = VolumeCapabilities.onNode(volume, abilities, request.group());
        Outcome<PluginState> staged = capability
                .then(asked -> SecretTexts.read(context.secrets(), source.secret(CsiVolumeSource.STAGE_SECRET))
                        .then(secrets -> (fileSystem ? file.writeStaged(context, source) : Outcome.done())
                                .then(noted -> context.remember(STAGED)
                                        .then(kept -> driver.call(
                                                context,
                                                CallKind.SHOW,
                                                NodeGrpc.getNodeStageVolumeMethod(),
                                                NodeStageVolumeRequest.newBuilder()
                                                        .setVolumeId(source.handle())
                                                        .putAllPublishContext(request.attached())
                                                        .setStagingTargetPath(request.stagingPath()
                                                                .toString())
                                                        .setVolumeCapability(asked)
                                                        .putAllSecrets(secrets.reveal())
                                                        .putAllVolumeContext(source.attributes())
                                                        .build(),
                                                secrets::hide)))))
                .map(done -> STAGED);
        // A call that was not made may follow a call that was: then the volume is there, and its note too.
        boolean nothing = staged.isRefused() || (staged.isWithoutEffect() && !notedBefore);
        return fileSystem && nothing ? file.remove(context).then(gone -> staged) : staged;
    }

    /** Unstages a volume; of one whose stage call was lost, whatever the driver may have. */
    public Outcome<Nothing> unstage(OperationContext context, VolumeId volume, Path stagingPath, PluginState state) {
        Outcome<Nothing> called = isStaged(state)
                ? drivers.find(NodePaths.driver(volume))
                        .then(driver -> driver.nodeAbilities(context)
                                .then(abilities -> stages(abilities)
                                        ? unstage(context, volume, stagingPath, driver)
                                        : Outcome.done()))
                : Outcome.done();
        return called.then(done -> VolumeDataFile.beside(stagingPath).remove(context));
    }

    /** Drivers say that they do not know a volume when they do not have it staged: what counts is what is mounted (semantics/csi §19). */
    private static Outcome<Nothing> unstage(
            OperationContext context, VolumeId volume, Path stagingPath, Driver driver) {
        Outcome<Nothing> answer = driver.call(
                        context,
                        CallKind.HIDE,
                        NodeGrpc.getNodeUnstageVolumeMethod(),
                        NodeUnstageVolumeRequest.newBuilder()
                                .setVolumeId(NodePaths.handle(volume))
                                .setStagingTargetPath(stagingPath.toString())
                                .build())
                .map(done -> Nothing.NOTHING);
        return LeftMounts.unlessGone(context, answer, stagingPath);
    }
}
