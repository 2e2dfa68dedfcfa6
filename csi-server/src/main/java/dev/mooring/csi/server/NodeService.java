// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.csi.server.RpcFailure.Asked;
import dev.mooring.csi.v1.NodeExpandVolumeRequest;
import dev.mooring.csi.v1.NodeExpandVolumeResponse;
import dev.mooring.csi.v1.NodeGetCapabilitiesRequest;
import dev.mooring.csi.v1.NodeGetCapabilitiesResponse;
import dev.mooring.csi.v1.NodeGetInfoRequest;
import dev.mooring.csi.v1.NodeGetInfoResponse;
import dev.mooring.csi.v1.NodeGetVolumeStatsRequest;
import dev.mooring.csi.v1.NodeGetVolumeStatsResponse;
import dev.mooring.csi.v1.NodeGrpc;
import dev.mooring.csi.v1.NodePublishVolumeRequest;
import dev.mooring.csi.v1.NodePublishVolumeResponse;
import dev.mooring.csi.v1.NodeServiceCapability;
import dev.mooring.csi.v1.NodeStageVolumeRequest;
import dev.mooring.csi.v1.NodeStageVolumeResponse;
import dev.mooring.csi.v1.NodeUnpublishVolumeRequest;
import dev.mooring.csi.v1.NodeUnpublishVolumeResponse;
import dev.mooring.csi.v1.NodeUnstageVolumeRequest;
import dev.mooring.csi.v1.NodeUnstageVolumeResponse;
import dev.mooring.csi.v1.VolumeCapability;
import dev.mooring.csi.v1.VolumeUsage;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.NodeExpanding;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.PublishRequestBuilder;
import dev.mooring.storage.spi.StageRequest;
import dev.mooring.storage.spi.Staging;
import dev.mooring.storage.spi.Statistics;
import dev.mooring.storage.spi.host.HostServices;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * CSI's node service over a plugin. Before a plugin's call the record says what is about to be done, and after it what was done: so a later
 * call, also of another process, undoes what this one left.
 */
final class NodeService extends NodeGrpc.NodeImplBase {
    private static final String KUBERNETES = "csi.storage.k8s.io/";

    private final DriverTraits traits;
    private final RpcRunner rpcs;
    private final VolumeRecords records;
    private final VolumeLookup lookup;
    private final VolumeMaker maker;
    private final Targets targets;

    NodeService(
            DriverTraits traits, RpcRunner rpcs, VolumeRecords records, SnapshotRecords snapshots, HostServices host) {
        this.traits = traits;
        this.rpcs = rpcs;
        this.records = records;
        this.lookup = new VolumeLookup(traits, records);
        this.maker = new VolumeMaker(traits, rpcs, records, new VolumeContents(traits, lookup, snapshots));
        this.targets = new Targets(traits, host);
    }

    @Override
    public void nodeGetCapabilities(
            NodeGetCapabilitiesRequest request, StreamObserver<NodeGetCapabilitiesResponse> observer) {
        NodeGetCapabilitiesResponse.Builder answer = NodeGetCapabilitiesResponse.newBuilder();
        traits.nodeCapabilities()
                .forEach(type -> answer.addCapabilities(NodeServiceCapability.newBuilder()
                        .setRpc(NodeServiceCapability.RPC.newBuilder().setType(type))));
        rpcs.tell("NodeGetCapabilities", request, observer, answer.build());
    }

    @Override
    public void nodeGetInfo(NodeGetInfoRequest request, StreamObserver<NodeGetInfoResponse> observer) {
        NodeGetInfoResponse.Builder answer = NodeGetInfoResponse.newBuilder().setNodeId(traits.nodeId());
        if (traits.bound()) {
            answer.setAccessibleTopology(traits.topology());
        }
        rpcs.tell("NodeGetInfo", request, observer, answer.build());
    }

    // ------------------------------------------------------------------------------------------- stage

    @Override
    public void nodeStageVolume(NodeStageVolumeRequest request, StreamObserver<NodeStageVolumeResponse> observer) {
        List<String> hidden = hidden(request.getSecretsMap(), request.getVolumeCapability());
        rpcs.change("NodeStageVolume", request, observer, hidden, () -> {
            Staging plugin = traits.need(Staging.class);
            need(request.getVolumeId(), "volume_id");
            Path staging = path(request.getStagingTargetPath(), "staging_target_path");
            RequestedCapability wanted = capability(request.hasVolumeCapability(), request.getVolumeCapability());
            return rpcs.alone(VolumeLookup.lock(request.getVolumeId()), () -> stage(plugin, request, staging, wanted));
        });
    }

    private NodeStageVolumeResponse stage(
            Staging plugin, NodeStageVolumeRequest request, Path staging, RequestedCapability wanted)
            throws RpcFailure {
        VolumeRecord record = lookup.existing(request.getVolumeId(), request.getVolumeContextMap());
        VolumeUse use = new VolumeUse(
                VolumeUse.Kind.STAGED,
                staging.toString(),
                wanted.fingerprint(wanted.readOnly()),
                false,
                wanted.mode(),
                PluginState.NONE,
                noPod());
        Optional<VolumeUse> before = used(record, use);
        StageRequest asked = new StageRequest(
                record.spec(List.of(wanted.accessMode()), wanted.mode(), wanted.mountFlags()),
                staging,
                request.getPublishContextMap(),
                wanted.readOnly(),
                wanted.group());
        RpcContext context = rpcs.recordedContext("stage " + record.handle(), request.getSecretsMap(), record, staging);
        begin(record, use, before, () -> plugin.stage(context, asked));
        return NodeStageVolumeResponse.getDefaultInstance();
    }

    @Override
    public void nodeUnstageVolume(
            NodeUnstageVolumeRequest request, StreamObserver<NodeUnstageVolumeResponse> observer) {
        rpcs.change("NodeUnstageVolume", request, observer, List.of(), () -> {
            Staging plugin = traits.need(Staging.class);
            need(request.getVolumeId(), "volume_id");
            Path staging = path(request.getStagingTargetPath(), "staging_target_path");
            return rpcs.alone(VolumeLookup.lock(request.getVolumeId()), () -> {
                Optional<VolumeRecord> found = lookup.record(request.getVolumeId());
                Optional<VolumeUse> use = use(found, staging, VolumeUse.Kind.STAGED);
                if (found.isPresent() && use.isPresent()) {
                    VolumeRecord record = found.get();
                    if (!record.usesAs(VolumeUse.Kind.PUBLISHED).isEmpty()) {
                        throw RpcFailure.precondition("volume " + record.handle() + " is still published here");
                    }
                    RpcContext context = rpcs.recordedContext("unstage " + record.handle(), Map.of(), record, staging);
                    RpcFailure.orThrow(
                            plugin.unstage(
                                    context,
                                    traits.plugin().identify(record.source()),
                                    staging,
                                    use.get().state()),
                            Asked.NODE);
                    records.noteOrForget(records.now(record).without(use.get()));
                }
                return NodeUnstageVolumeResponse.getDefaultInstance();
            });
        });
    }

    // ----------------------------------------------------------------------------------------- publish

    @Override
    public void nodePublishVolume(
            NodePublishVolumeRequest request, StreamObserver<NodePublishVolumeResponse> observer) {
        List<String> hidden = hidden(request.getSecretsMap(), request.getVolumeCapability());
        rpcs.change("NodePublishVolume", request, observer, hidden, () -> {
            shows();
            need(request.getVolumeId(), "volume_id");
            Path target = path(request.getTargetPath(), "target_path");
            RequestedCapability wanted = capability(request.hasVolumeCapability(), request.getVolumeCapability());
            if ("true".equals(request.getVolumeContextMap().get(KUBERNETES + "ephemeral"))) {
                VolumeHandle inline = inline(request.getVolumeId());
                return rpcs.alone(inline.key(), () -> publishInline(inline, request, target, wanted));
            }
            if (traits.can(Staging.class) && request.getStagingTargetPath().isEmpty()) {
                throw RpcFailure.precondition("staging_target_path is missing, and this driver stages volumes");
            }
            return rpcs.alone(
                    VolumeLookup.lock(request.getVolumeId()),
                    () -> publish(
                            lookup.existing(request.getVolumeId(), request.getVolumeContextMap()),
                            request,
                            target,
                            wanted));
        });
    }

    /** A volume that is written in a pod is made when it is published. One that cannot be published is not kept. */
    private NodePublishVolumeResponse publishInline(
            VolumeHandle handle, NodePublishVolumeRequest request, Path target, RequestedCapability wanted)
            throws RpcFailure {
        VolumeRecord record = maker.makeInline(
                handle,
                wanted,
                request.getVolumeContextMap(),
                request.getSecretsMap(),
                pod(request.getVolumeContextMap()));
        try {
            return publish(record, request, target, wanted);
        } catch (RpcFailure e) {
            Optional<VolumeRecord> left = records.find(handle);
            if (left.isPresent() && left.get().uses().isEmpty()) {
                deleteInline(left.get());
            }
            throw e;
        }
    }

    private void deleteInline(VolumeRecord record) throws RpcFailure {
        VolumeRecord begun = records.announceNext(record.in(VolumeRecord.Phase.DELETING));
        RpcContext context = rpcs.context("delete " + record.handle(), Map.of(), begun);
        RpcFailure.orThrow(traits.need(Deleting.class).delete(context, begun.spec()), Asked.NODE);
        records.remove(record.handle());
    }

    private VolumeHandle inline(String id) throws RpcFailure {
        if (!traits.makesInline()) {
            throw RpcFailure.invalid("this driver has no ephemeral inline volumes");
        }
        return VolumeHandle.parse(id)
                .filter(handle -> handle.kind() == VolumeHandle.Kind.INLINE)
                .orElseThrow(() -> RpcFailure.invalid("volume_id " + id + " is no id of an ephemeral inline volume"));
    }

    private NodePublishVolumeResponse publish(
            VolumeRecord record, NodePublishVolumeRequest request, Path target, RequestedCapability wanted)
            throws RpcFailure {
        Optional<Path> staging = Optional.empty();
        if (traits.can(Staging.class)) {
            staging = Optional.of(path(request.getStagingTargetPath(), "staging_target_path"));
            if (use(Optional.of(record), staging.get(), VolumeUse.Kind.STAGED).isEmpty()) {
                throw RpcFailure.precondition("volume " + record.handle() + " is not staged at " + staging.get());
            }
        }
        boolean readOnly = request.getReadonly() || wanted.readOnly();
        VolumeUse use = new VolumeUse(
                VolumeUse.Kind.PUBLISHED,
                target.toString(),
                wanted.fingerprint(readOnly),
                wanted.onlyOneTarget(),
                wanted.mode(),
                PluginState.NONE,
                pod(request.getVolumeContextMap()));
        Optional<VolumeUse> before = used(record, use);
        Optional<VolumeUse> other = record.usesAs(VolumeUse.Kind.PUBLISHED).stream()
                .filter(known -> !known.path().equals(use.path()))
                .filter(known -> known.onlyOne() || use.onlyOne())
                .findFirst();
        if (other.isPresent()) {
            throw RpcFailure.precondition("volume " + record.handle() + " is published at "
                    + other.get().path() + ", and only one target may have it");
        }
        PublishRequest asked = PublishRequestBuilder.builder()
                .volume(record.spec(List.of(wanted.accessMode()), wanted.mode(), wanted.mountFlags()))
                .pod(use.pod())
                .target(target)
                .stagingPath(staging)
                .readOnly(readOnly)
                .occasion(before.isPresent() ? PublishRequest.Occasion.RECOVERY : PublishRequest.Occasion.INITIAL)
                .group(wanted.group())
                .build();
        RpcContext context = rpcs.recordedContext(
                "publish " + record.handle() + " at " + target, request.getSecretsMap(), record, target);
        begin(record, use, before, () -> targets.show(context, asked));
        return NodePublishVolumeResponse.getDefaultInstance();
    }

    @Override
    public void nodeUnpublishVolume(
            NodeUnpublishVolumeRequest request, StreamObserver<NodeUnpublishVolumeResponse> observer) {
        rpcs.change("NodeUnpublishVolume", request, observer, List.of(), () -> {
            shows();
            need(request.getVolumeId(), "volume_id");
            Path target = path(request.getTargetPath(), "target_path");
            return rpcs.alone(VolumeLookup.lock(request.getVolumeId()), () -> {
                Optional<VolumeRecord> found = lookup.record(request.getVolumeId());
                Optional<VolumeUse> use = use(found, target, VolumeUse.Kind.PUBLISHED);
                if (found.isPresent() && use.isPresent()) {
                    VolumeRecord record = found.get();
                    targets.hide(
                            rpcs.recordedContext(
                                    "unpublish " + record.handle() + " at " + target, Map.of(), record, target),
                            record,
                            use.get());
                    found = Optional.of(records.now(record).without(use.get()));
                    records.noteOrForget(found.get());
                } else {
                    targets.remove(target);
                }
                Optional<VolumeRecord> inline =
                        found.filter(record -> record.handle().kind() == VolumeHandle.Kind.INLINE);
                if (inline.isPresent() && inline.get().uses().isEmpty()) {
                    deleteInline(inline.get());
                }
                return NodeUnpublishVolumeResponse.getDefaultInstance();
            });
        });
    }

    // ------------------------------------------------------------------------------- while it is used

    @Override
    public void nodeGetVolumeStats(
            NodeGetVolumeStatsRequest request, StreamObserver<NodeGetVolumeStatsResponse> observer) {
        rpcs.read("NodeGetVolumeStats", request, observer, () -> {
            Statistics plugin = traits.need(Statistics.class);
            need(request.getVolumeId(), "volume_id");
            need(request.getVolumePath(), "volume_path");
            VolumeRecord record = at(request.getVolumeId(), request.getVolumePath());
            Path place = path(request.getVolumePath(), "volume_path");
            // One at a time: a back-end that hangs would keep one more call with each repetition.
            Statistics.Usage usage = rpcs.alone(
                    "measure " + place,
                    () -> RpcFailure.orThrow(
                            plugin.usage(
                                    rpcs.context("measure " + record.handle(), Map.of(), record, place),
                                    traits.plugin().identify(record.source()),
                                    place),
                            Asked.NODE));
            NodeGetVolumeStatsResponse.Builder answer = NodeGetVolumeStatsResponse.newBuilder()
                    .addUsage(VolumeUsage.newBuilder()
                            .setUnit(VolumeUsage.Unit.BYTES)
                            .setTotal(usage.capacityBytes())
                            .setUsed(usage.usedBytes())
                            .setAvailable(usage.availableBytes()));
            if (usage.inodes() > 0) {
                answer.addUsage(VolumeUsage.newBuilder()
                        .setUnit(VolumeUsage.Unit.INODES)
                        .setTotal(usage.inodes())
                        .setUsed(usage.inodes() - usage.freeInodes())
                        .setAvailable(usage.freeInodes()));
            }
            return answer.build();
        });
    }

    @Override
    public void nodeExpandVolume(NodeExpandVolumeRequest request, StreamObserver<NodeExpandVolumeResponse> observer) {
        List<String> hidden = hidden(request.getSecretsMap(), request.getVolumeCapability());
        rpcs.change("NodeExpandVolume", request, observer, hidden, () -> {
            NodeExpanding plugin = traits.need(NodeExpanding.class);
            need(request.getVolumeId(), "volume_id");
            need(request.getVolumePath(), "volume_path");
            VolumeMaker.checkRange(request.getCapacityRange());
            return rpcs.alone(VolumeLookup.lock(request.getVolumeId()), () -> {
                VolumeRecord record = at(request.getVolumeId(), request.getVolumePath());
                Path place = record.usesAs(VolumeUse.Kind.STAGED).stream()
                        .findFirst()
                        .map(use -> Path.of(use.path()))
                        .orElseGet(() -> Path.of(request.getVolumePath()));
                long least = request.getCapacityRange().getRequiredBytes();
                Quantity wanted = least > 0 ? Quantity.ofBytes(least) : record.capacity();
                Quantity size = RpcFailure.orThrow(
                        plugin.expandOnNode(
                                rpcs.context("grow " + record.handle(), request.getSecretsMap(), record, place),
                                record.spec(record.request().accessModes(), mode(record), List.of()),
                                place,
                                wanted),
                        Asked.EXPAND);
                return NodeExpandVolumeResponse.newBuilder()
                        .setCapacityBytes(size.longValue())
                        .build();
            });
        });
    }

    // ------------------------------------------------------------------------------------------ common

    private void shows() throws RpcFailure {
        if (!traits.shows()) {
            throw RpcFailure.unimplemented(
                    "plugin " + traits.plugin().describe().name() + " shows no volume on a node");
        }
    }

    private interface PluginCall {
        Outcome<PluginState> run() throws RpcFailure;
    }

    /** Notes the intent, calls, and notes the answer. What was surely not done is forgotten. */
    private void begin(VolumeRecord record, VolumeUse use, Optional<VolumeUse> before, PluginCall call)
            throws RpcFailure {
        // An earlier answer stays until there is a newer one.
        VolumeUse begun = before.map(known -> use.with(known.state())).orElse(use);
        VolumeRecord announced;
        if (before.isEmpty()) {
            targets.requireFree(Path.of(use.path()));
            announced = records.announce(record.with(begun));
        } else {
            announced = records.announceNext(record.with(begun)); // what has begun goes on, also where the disk is full
        }
        Outcome<PluginState> outcome = call.run();
        boolean nothing = outcome.isWithoutEffect();
        if (nothing && before.isEmpty()) {
            records.noteOrForget(records.now(announced).without(use));
        }
        PluginState state = RpcFailure.orThrow(outcome, Asked.NODE);
        records.note(records.now(announced).with(begun.with(state)));
    }

    /** What is at the path already; ALREADY_EXISTS if that is something else than what is wanted. */
    private static Optional<VolumeUse> used(VolumeRecord record, VolumeUse wanted) throws RpcFailure {
        Optional<VolumeUse> there = Optional.ofNullable(record.uses().get(wanted.path()));
        boolean other = there.filter(known ->
                        known.kind() != wanted.kind() || !known.fingerprint().equals(wanted.fingerprint()))
                .isPresent();
        if (other) {
            throw new RpcFailure(
                    Status.Code.ALREADY_EXISTS,
                    "volume " + record.handle() + " is at " + wanted.path() + " with another capability");
        }
        return there;
    }

    private static Optional<VolumeUse> use(Optional<VolumeRecord> record, Path path, VolumeUse.Kind kind) {
        return record.map(known -> known.uses().get(path.toString())).filter(use -> use.kind() == kind);
    }

    /** As what a volume is used here. */
    private static VolumeMode mode(VolumeRecord record) {
        return record.uses().values().stream()
                .map(VolumeUse::mode)
                .findFirst()
                .orElseGet(() -> record.request().mode());
    }

    /** The volume, if it is at this path. */
    private VolumeRecord at(String id, String path) throws RpcFailure {
        return lookup.record(id)
                .filter(record -> record.uses().containsKey(path))
                .orElseThrow(() -> RpcFailure.notFound("volume " + id + " is not at " + path));
    }

    private RequestedCapability capability(boolean given, VolumeCapability capability) throws RpcFailure {
        if (!given) {
            throw RpcFailure.invalid("volume_capability is missing");
        }
        return RequestedCapability.of(capability, traits);
    }

    private static List<String> hidden(Map<String, String> secrets, VolumeCapability capability) {
        List<String> hidden = new ArrayList<>(secrets.values());
        hidden.addAll(capability.getMount().getMountFlagsList());
        return hidden;
    }

    private static void need(String value, String field) throws RpcFailure {
        if (value.isEmpty()) {
            throw RpcFailure.invalid(field + " is missing");
        }
    }

    /** An absolute path without detours, so that one place has one name. */
    private static Path path(String text, String field) throws RpcFailure {
        need(text, field);
        try {
            Path path = Path.of(text);
            if (path.isAbsolute() && path.equals(path.normalize()) && path.getFileName() != null) {
                return path;
            }
        } catch (InvalidPathException e) {
            throw RpcFailure.invalid(field + " is no path: " + e.getReason());
        }
        throw RpcFailure.invalid(field + " has to be an absolute path without '..'");
    }

    private static PodRef pod(Map<String, String> context) {
        return new PodRef(
                context.getOrDefault(KUBERNETES + "pod.namespace", ""),
                context.getOrDefault(KUBERNETES + "pod.name", ""),
                context.getOrDefault(KUBERNETES + "pod.uid", ""));
    }

    private static PodRef noPod() {
        return new PodRef("", "", "");
    }
}
