// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.plugin.support.Pause;
import dev.mooring.storage.model.IscsiSource;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Attaching;
import dev.mooring.storage.spi.BlockMapping;
import dev.mooring.storage.spi.Fencing;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.NodeExpanding;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.Reconstructing;
import dev.mooring.storage.spi.StageRequest;
import dev.mooring.storage.spi.Staging;
import dev.mooring.storage.spi.Statistics;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Logical units of iSCSI targets (semantics/plugins §3). A target refuses no node by itself. So the attachment, which does nothing at the
 * target, keeps a second node away; reservations are the second line.
 *
 * <p>Thread-safe; the caller makes no two calls for one volume at once.
 */
public final class IscsiPlugin
        implements StoragePlugin,
                Attaching,
                Staging,
                Publishing,
                BlockMapping,
                NodeExpanding,
                Statistics,
                Fencing,
                Reconstructing {
    static final PluginName NAME = new PluginName("kubernetes.io/iscsi");

    private final IscsiCall.Shared shared;

    /** For {@link java.util.ServiceLoader}. */
    public IscsiPlugin() {
        this(Pause.REAL);
    }

    IscsiPlugin(Pause pause) {
        this.shared = new IscsiCall.Shared(pause);
    }

    @Override
    public PluginDescriptor describe() {
        return PluginDescriptor.of(NAME, List.of(IscsiSource.TYPE), Place.CONTROLLER)
                .withSupportsMountOptions(true)
                .withManagesOwnership(true)
                .withDriverName("iscsi.csi.mooring.dev");
    }

    /** Target and unit, so that two portals of one target are one volume. */
    @Override
    public VolumeId identify(VolumeSource source) {
        return new VolumeId(NAME, IscsiSources.identity(source));
    }

    @Override
    public List<FieldProblem> validate(VolumeSource source) {
        return IscsiSources.problems(source);
    }

    @Override
    public boolean requiresAttach(VolumeSpec volume) {
        return true;
    }

    @Override
    public boolean exclusive(VolumeSpec volume) {
        return !IscsiSources.sharedReadOnly(volume);
    }

    @Override
    public String reportedName(VolumeSpec volume, VolumeId id) {
        return IscsiSources.reportedName(volume.source());
    }

    /** Nothing happens at the target: what counts is the attachment that the caller has made durable (semantics/plugins §3.4). */
    @Override
    public Outcome<Map<String, String>> attach(OperationContext context, VolumeSpec volume, NodeRef node) {
        return IscsiSources.checked(volume).then(source -> Settings.of(volume)).map(settings -> Map.of());
    }

    /**
     * Nothing happens at the target. The caller detaches only when the node has recorded that the volume is gone there, or when it is
     * proven that the node cannot write any more; nothing that is known here could replace that proof.
     */
    @Override
    public Outcome<Nothing> detach(OperationContext context, VolumeId volume, NodeRef node) {
        return Outcome.done();
    }

    /** Only the node knows what it has logged in to. */
    @Override
    public Map<VolumeId, State> observe(OperationContext context, NodeRef node, Set<VolumeId> volumes) {
        return volumes.stream().collect(Collectors.toUnmodifiableMap(Function.identity(), volume -> State.UNKNOWN));
    }

    /** As kubelets name it (semantics/attach-and-mount §3.8). */
    @Override
    public Path stagingDirectory(VolumeSpec volume, VolumeId id) {
        return volume.mode() == VolumeMode.BLOCK
                ? Path.of("volumeDevices", "staging").resolve(IscsiSources.directory(volume.source()))
                : IscsiSources.directory(volume.source());
    }

    /** Ours is a file system of this kernel (semantics/plugins §1.1). */
    @Override
    public boolean takesSELinuxContext(VolumeSpec volume) {
        return volume.mode() == VolumeMode.FILESYSTEM;
    }

    @Override
    public Path mapDirectory(VolumeSpec volume, VolumeId id) {
        return Path.of("volumeDevices").resolve(IscsiSources.directory(volume.source()));
    }

    @Override
    public Outcome<PluginState> stage(OperationContext context, StageRequest request) {
        return new IscsiStager(new IscsiCall(context, shared))
                .stage(request, identify(request.volume().source()));
    }

    /** The portals that led to no path when the volume was staged. */
    @Override
    public Optional<String> missing(PluginState state) {
        return Staged.read(state).result().flatMap(Function.identity()).flatMap(IscsiStager::missing);
    }

    @Override
    public Outcome<PluginState> complete(OperationContext context, StageRequest request, PluginState state) {
        return new IscsiStager(new IscsiCall(context, shared))
                .complete(request, identify(request.volume().source()), state);
    }

    @Override
    public Outcome<Nothing> unstage(OperationContext context, VolumeId volume, Path stagingPath, PluginState state) {
        return new Unstager(new IscsiCall(context, shared)).unstage(volume, stagingPath, state);
    }

    @Override
    public Outcome<PluginState> publish(OperationContext context, PublishRequest request) {
        return new IscsiPublisher(context)
                .publish(request, identify(request.volume().source()));
    }

    @Override
    public Outcome<Nothing> unpublish(
            OperationContext context, VolumeId volume, PodRef pod, Path target, PluginState state) {
        return new IscsiPublisher(context).unpublish(volume, target, state);
    }

    @Override
    public Outcome<Path> map(OperationContext context, PublishRequest request) {
        return new Mapper(new IscsiCall(context, shared))
                .find(identify(request.volume().source()))
                .map(devices -> devices.top().path());
    }

    /** The device goes when the volume is unstaged. */
    @Override
    public Outcome<Nothing> unmap(OperationContext context, VolumeId volume, PodRef pod) {
        return Outcome.done();
    }

    @Override
    public Outcome<Quantity> expandOnNode(OperationContext context, VolumeSpec volume, Path path, Quantity wanted) {
        return new Expander(new IscsiCall(context, shared)).expand(identify(volume.source()), volume, path, wanted);
    }

    /** By the reservation at the target, from a node on which the volume is staged: no other has a path to it. */
    @Override
    public Outcome<Nothing> fence(OperationContext context, VolumeId volume, NodeRef lost) {
        IscsiCall call = new IscsiCall(context, shared);
        return new Mapper(call).find(volume).then(devices -> new Reservations(call).fence(devices, lost));
    }

    /** A node that came back registers again when it stages the volume, and only then. */
    @Override
    public Outcome<Nothing> unfence(OperationContext context, VolumeId volume, NodeRef back) {
        return Outcome.done();
    }

    @Override
    public Outcome<Usage> usage(OperationContext context, VolumeId volume, Path path) {
        return new IscsiPublisher(context).usage(path);
    }

    /** What a kubelet has staged at a path. Staging it there again then changes nothing. */
    @Override
    public Outcome<Adopted> reconstruct(OperationContext context, Path path) {
        return new IscsiAdopter(new IscsiCall(context, shared), this::identify).adopt(path);
    }
}
