// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.node;

import dev.mooring.csi.v1.NodeGrpc;
import dev.mooring.csi.v1.NodePublishVolumeRequest;
import dev.mooring.csi.v1.NodeServiceCapability;
import dev.mooring.csi.v1.NodeUnpublishVolumeRequest;
import dev.mooring.plugin.csi.driver.CallKind;
import dev.mooring.plugin.csi.driver.CsiVolumeSource;
import dev.mooring.plugin.csi.driver.Driver;
import dev.mooring.plugin.csi.driver.Drivers;
import dev.mooring.plugin.csi.driver.SecretTexts;
import dev.mooring.plugin.csi.driver.VolumeCapabilities;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.PublishRequest.Occasion;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** Has a driver publish volumes to pods and undo it (semantics/csi §6.4, §6.6). Thread-safe. */
public final class NodePublisher {
    /** What a record says of a volume whose driver gave the files to the pod's group. */
    private static final PluginState GIVEN = new PluginState(1, "group");

    private final Drivers drivers;
    private final PodContext pods;

    /** Uses the drivers that are here, and what the cluster says of pods. */
    public NodePublisher(Drivers drivers, PodContext pods) {
        this.drivers = drivers;
        this.pods = pods;
    }

    /** Whether the driver gave the files to the pod's group. */
    public static boolean givesToGroup(PluginState state) {
        return state.equals(GIVEN);
    }

    /** Shows a volume to a pod. */
    public Outcome<PluginState> publish(OperationContext context, PublishRequest request) {
        CsiVolumeSource source = CsiVolumeSource.of(request.volume());
        boolean ephemeral = isInline(request.volume());
        VolumeDataFile file = VolumeDataFile.beside(request.target());
        Outcome<Nothing> noted = file.writePublished(
                context, source, request.volume().name(), pods.node(), ephemeral, pods.attachmentName(source));
        Outcome<PluginState> published = noted.then(done -> call(context, request, source, request.target()));
        // a refresh that fails takes nothing from a pod that runs (kubernetes#121271)
        boolean fresh = request.occasion() == Occasion.INITIAL;
        boolean nothing = published.isWithoutEffect();
        return fresh && nothing
                ? LeftMounts.remove(context, request.target())
                        .then(gone -> file.remove(context))
                        .then(gone -> published)
                : published;
    }

    static boolean isInline(VolumeSpec volume) {
        return volume.uid().isEmpty();
    }

    /**
     * Calls the driver.
     *
     * @param target what the driver makes: a directory, or the file of a device
     */
    Outcome<PluginState> call(OperationContext context, PublishRequest request, CsiVolumeSource source, Path target) {
        boolean ephemeral = isInline(request.volume());
        return drivers.find(source.driver())
                .then(driver -> driver.nodeAbilities(context)
                        .then(abilities -> pods.given(
                                        source,
                                        request.pod(),
                                        ephemeral,
                                        request.volume().mode())
                                .then(given -> call(
                                        context,
                                        request,
                                        source,
                                        driver,
                                        abilities,
                                        given,
                                        NodePublishVolumeRequest.newBuilder()
                                                .setVolumeId(source.handle())
                                                .putAllPublishContext(given.attached())
                                                .setTargetPath(target.toString())
                                                .setReadonly(request.readOnly())
                                                .putAllVolumeContext(given.context())))));
    }

    private static Outcome<PluginState> call(
            OperationContext context,
            PublishRequest request,
            CsiVolumeSource source,
            Driver driver,
            Set<NodeServiceCapability.RPC.Type> abilities,
            PodContext.Given podContext,
            NodePublishVolumeRequest.Builder building) {
        VolumeSpec volume = request.volume();
        boolean staged = volume.mode() == VolumeMode.BLOCK
                || abilities.contains(NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME);
        request.stagingPath()
                .filter(path -> staged && !isInline(volume))
                .ifPresent(path -> building.setStagingTargetPath(path.toString()));
        boolean given =
                request.group().isPresent() && abilities.contains(NodeServiceCapability.RPC.Type.VOLUME_MOUNT_GROUP);
        return VolumeCapabilities.onNode(volume, abilities, request.group())
                .then(capability -> SecretTexts.read(context.secrets(), secret(request, source))
                        .then(secrets -> driver.call(
                                context,
                                CallKind.SHOW,
                                NodeGrpc.getNodePublishVolumeMethod(),
                                building.setVolumeCapability(capability)
                                        .putAllSecrets(
                                                podContext.secrets(secrets).reveal())
                                        .build(),
                                text -> podContext.hide(secrets.hide(text)))))
                .map(done -> given ? GIVEN : PluginState.NONE);
    }

    /** Of a source that is written in a pod the secret is one of the pod's namespace, whatever it says. */
    private static Optional<ObjectKey> secret(PublishRequest request, CsiVolumeSource source) {
        Optional<ObjectKey> written = source.secret(CsiVolumeSource.PUBLISH_SECRET);
        return isInline(request.volume())
                ? written.map(key -> ObjectKey.of(request.pod().namespace(), key.name()))
                : written;
    }

    /** Takes a volume away from a pod, with what the driver leaves. */
    public Outcome<Nothing> unpublish(OperationContext context, VolumeId volume, Path target) {
        return unpublished(context, volume, target)
                .then(done -> VolumeDataFile.beside(target).remove(context));
    }

    Outcome<Nothing> unpublished(OperationContext context, VolumeId volume, Path target) {
        Outcome<Nothing> answer = drivers.find(NodePaths.driver(volume))
                .then(driver -> driver.call(
                        context,
                        CallKind.HIDE,
                        NodeGrpc.getNodeUnpublishVolumeMethod(),
                        NodeUnpublishVolumeRequest.newBuilder()
                                .setVolumeId(NodePaths.handle(volume))
                                .setTargetPath(target.toString())
                                .build()))
                .map(done -> Nothing.NOTHING);
        return LeftMounts.unlessGone(context, answer, target).then(done -> LeftMounts.remove(context, target));
    }
}
