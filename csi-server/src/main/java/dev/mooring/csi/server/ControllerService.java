// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.csi.server.RpcFailure.Asked;
import dev.mooring.csi.v1.ControllerExpandVolumeRequest;
import dev.mooring.csi.v1.ControllerExpandVolumeResponse;
import dev.mooring.csi.v1.ControllerGetCapabilitiesRequest;
import dev.mooring.csi.v1.ControllerGetCapabilitiesResponse;
import dev.mooring.csi.v1.ControllerGetVolumeRequest;
import dev.mooring.csi.v1.ControllerGetVolumeResponse;
import dev.mooring.csi.v1.ControllerGrpc;
import dev.mooring.csi.v1.ControllerModifyVolumeRequest;
import dev.mooring.csi.v1.ControllerModifyVolumeResponse;
import dev.mooring.csi.v1.ControllerPublishVolumeRequest;
import dev.mooring.csi.v1.ControllerPublishVolumeResponse;
import dev.mooring.csi.v1.ControllerServiceCapability;
import dev.mooring.csi.v1.ControllerUnpublishVolumeRequest;
import dev.mooring.csi.v1.ControllerUnpublishVolumeResponse;
import dev.mooring.csi.v1.CreateSnapshotRequest;
import dev.mooring.csi.v1.CreateSnapshotResponse;
import dev.mooring.csi.v1.CreateVolumeRequest;
import dev.mooring.csi.v1.CreateVolumeResponse;
import dev.mooring.csi.v1.DeleteSnapshotRequest;
import dev.mooring.csi.v1.DeleteSnapshotResponse;
import dev.mooring.csi.v1.DeleteVolumeRequest;
import dev.mooring.csi.v1.DeleteVolumeResponse;
import dev.mooring.csi.v1.GetCapacityRequest;
import dev.mooring.csi.v1.GetCapacityResponse;
import dev.mooring.csi.v1.ListSnapshotsRequest;
import dev.mooring.csi.v1.ListSnapshotsResponse;
import dev.mooring.csi.v1.ListVolumesRequest;
import dev.mooring.csi.v1.ListVolumesResponse;
import dev.mooring.csi.v1.ValidateVolumeCapabilitiesRequest;
import dev.mooring.csi.v1.ValidateVolumeCapabilitiesResponse;
import dev.mooring.csi.v1.Volume;
import dev.mooring.csi.v1.VolumeCapability;
import dev.mooring.csi.v1.VolumeCondition;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.Attaching;
import dev.mooring.storage.spi.ControllerExpanding;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.Health;
import dev.mooring.storage.spi.Modifying;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.Snapshotting;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.HostServices;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** CSI's controller service over a plugin. What the plugin cannot do is UNIMPLEMENTED. */
final class ControllerService extends ControllerGrpc.ControllerImplBase {
    private final DriverTraits traits;
    private final RpcRunner rpcs;
    private final VolumeRecords records;
    private final VolumeLookup lookup;
    private final VolumeMaker maker;
    private final SnapshotRecords snapshotRecords;
    private final Snapshots snapshots;
    private final FreeSpaceHere space;

    ControllerService(
            DriverTraits traits,
            RpcRunner rpcs,
            VolumeRecords records,
            SnapshotRecords snapshotRecords,
            HostServices host) {
        this.traits = traits;
        this.rpcs = rpcs;
        this.records = records;
        this.lookup = new VolumeLookup(traits, records);
        this.maker = new VolumeMaker(traits, rpcs, records, new VolumeContents(traits, lookup, snapshotRecords));
        this.snapshotRecords = snapshotRecords;
        this.snapshots = new Snapshots(traits, rpcs, lookup, snapshotRecords);
        this.space = new FreeSpaceHere(traits, rpcs, host);
    }

    @Override
    public void controllerGetCapabilities(
            ControllerGetCapabilitiesRequest request, StreamObserver<ControllerGetCapabilitiesResponse> observer) {
        ControllerGetCapabilitiesResponse.Builder answer = ControllerGetCapabilitiesResponse.newBuilder();
        traits.controllerCapabilities()
                .forEach(type -> answer.addCapabilities(ControllerServiceCapability.newBuilder()
                        .setRpc(ControllerServiceCapability.RPC.newBuilder().setType(type))));
        rpcs.tell("ControllerGetCapabilities", request, observer, answer.build());
    }

    @Override
    public void createVolume(CreateVolumeRequest request, StreamObserver<CreateVolumeResponse> observer) {
        List<String> hidden = new ArrayList<>(request.getSecretsMap().values());
        request.getVolumeCapabilitiesList()
                .forEach(each -> hidden.addAll(each.getMount().getMountFlagsList()));
        rpcs.change("CreateVolume", request, observer, hidden, () -> {
            traits.need(Provisioning.class);
            VolumeHandle handle = maker.check(request);
            return rpcs.alone(
                    handle.key(),
                    () -> CreateVolumeResponse.newBuilder()
                            .setVolume(volume(maker.make(request)))
                            .build());
        });
    }

    @Override
    public void deleteVolume(DeleteVolumeRequest request, StreamObserver<DeleteVolumeResponse> observer) {
        Collection<String> hidden = request.getSecretsMap().values();
        rpcs.change("DeleteVolume", request, observer, hidden, () -> {
            Deleting plugin = traits.need(Deleting.class);
            need(request.getVolumeId(), "volume_id");
            Optional<VolumeHandle> handle = VolumeHandle.parse(request.getVolumeId());
            return handle.isEmpty()
                    ? DeleteVolumeResponse.getDefaultInstance()
                    : rpcs.destroying(handle.get().key(), () -> delete(plugin, handle.get(), request));
        });
    }

    private DeleteVolumeResponse delete(Deleting plugin, VolumeHandle handle, DeleteVolumeRequest request)
            throws RpcFailure {
        if (handle.kind() == VolumeHandle.Kind.STATIC) {
            throw RpcFailure.precondition("volume " + handle + " was not made by this driver, which therefore does not"
                    + " delete it; give its PersistentVolume the reclaim policy Retain");
        }
        Optional<VolumeRecord> found = lookup.find(handle);
        if (found.isPresent()) {
            VolumeRecord record = found.get();
            if (!record.uses().isEmpty()) {
                throw RpcFailure.precondition("volume " + handle + " is in use on this node, at "
                        + record.uses().firstKey());
            }
            if (!record.nodes().isEmpty()) {
                throw RpcFailure.precondition("volume " + handle + " is published on "
                        + record.nodes().firstKey());
            }
            if (traits.can(Snapshotting.class) && snapshotRecords.isBeingTaken(handle)) {
                throw RpcFailure.precondition("a snapshot of volume " + handle
                        + " was begun, and it is not known what became of it; repeat CreateSnapshot");
            }
            VolumeRecord begun = records.announceNext(record.in(VolumeRecord.Phase.DELETING));
            RpcContext context = rpcs.context("delete " + handle, request.getSecretsMap(), begun);
            RpcFailure.orThrow(plugin.delete(context, begun.spec()), Asked.CONTROLLER);
            records.remove(handle);
        }
        return DeleteVolumeResponse.getDefaultInstance();
    }

    @Override
    public void validateVolumeCapabilities(
            ValidateVolumeCapabilitiesRequest request, StreamObserver<ValidateVolumeCapabilitiesResponse> observer) {
        rpcs.read("ValidateVolumeCapabilities", request, observer, () -> {
            need(request.getVolumeId(), "volume_id");
            if (request.getVolumeCapabilitiesCount() == 0) {
                throw RpcFailure.invalid("volume_capabilities is missing");
            }
            VolumeRecord record = lookup.existing(request.getVolumeId(), request.getVolumeContextMap());
            for (VolumeCapability each : request.getVolumeCapabilitiesList()) {
                String why = unsupported(record, each);
                if (!why.isEmpty()) {
                    return ValidateVolumeCapabilitiesResponse.newBuilder()
                            .setMessage(why)
                            .build();
                }
            }
            return ValidateVolumeCapabilitiesResponse.newBuilder()
                    .setConfirmed(ValidateVolumeCapabilitiesResponse.Confirmed.newBuilder()
                            .putAllVolumeContext(request.getVolumeContextMap())
                            .addAllVolumeCapabilities(request.getVolumeCapabilitiesList())
                            .putAllParameters(request.getParametersMap())
                            .putAllMutableParams(request.getMutableParamsMap()))
                    .build();
        });
    }

    /** Why a volume cannot be used in this way; empty if it can. */
    private String unsupported(VolumeRecord record, VolumeCapability capability) {
        try {
            RequestedCapability wanted = RequestedCapability.of(capability, traits);
            if (!record.askedFor()) {
                return "";
            }
            if (wanted.mode() != record.request().mode()) {
                return "the volume is a " + record.request().mode().wireName();
            }
            return record.request().accessModes().contains(wanted.accessMode())
                    ? ""
                    : "the volume was not made for access mode " + wanted.access();
        } catch (RpcFailure e) {
            return e.why();
        }
    }

    @Override
    public void listVolumes(ListVolumesRequest request, StreamObserver<ListVolumesResponse> observer) {
        rpcs.read("ListVolumes", request, observer, () -> {
            traits.need(Provisioning.class);
            Paging paging = Paging.of(
                    request.getMaxEntries(),
                    request.getStartingToken(),
                    token -> VolumeHandle.parse(token).isPresent());
            List<VolumeRecord> ready = records.all().stream()
                    .filter(record -> record.phase() == VolumeRecord.Phase.READY)
                    .filter(record -> record.handle().kind() != VolumeHandle.Kind.INLINE)
                    .toList();
            Paging.Page<VolumeRecord> page =
                    paging.of(ready, record -> record.handle().key());
            ListVolumesResponse.Builder answer =
                    ListVolumesResponse.newBuilder().setNextToken(page.nextToken());
            page.entries()
                    .forEach(record -> answer.addEntries(
                            ListVolumesResponse.Entry.newBuilder().setVolume(volume(record))));
            return answer.build();
        });
    }

    @Override
    public void getCapacity(GetCapacityRequest request, StreamObserver<GetCapacityResponse> observer) {
        rpcs.read("GetCapacity", request, observer, () -> {
            if (!traits.measuresCapacity()) {
                throw RpcFailure.unimplemented("this driver does not know how much space is left");
            }
            return space.answer(request);
        });
    }

    @Override
    public void controllerPublishVolume(
            ControllerPublishVolumeRequest request, StreamObserver<ControllerPublishVolumeResponse> observer) {
        List<String> hidden = new ArrayList<>(request.getSecretsMap().values());
        hidden.addAll(request.getVolumeCapability().getMount().getMountFlagsList());
        rpcs.change("ControllerPublishVolume", request, observer, hidden, () -> {
            Attaching plugin = traits.need(Attaching.class);
            need(request.getVolumeId(), "volume_id");
            need(request.getNodeId(), "node_id");
            if (!request.hasVolumeCapability()) {
                throw RpcFailure.invalid("volume_capability is missing");
            }
            RequestedCapability wanted = RequestedCapability.of(request.getVolumeCapability(), traits);
            return rpcs.alone(VolumeLookup.lock(request.getVolumeId()), () -> attach(plugin, request, wanted));
        });
    }

    private ControllerPublishVolumeResponse attach(
            Attaching plugin, ControllerPublishVolumeRequest request, RequestedCapability wanted) throws RpcFailure {
        VolumeRecord record = lookup.existing(request.getVolumeId(), request.getVolumeContextMap());
        String node = request.getNodeId();
        NodeRef there = traits.node(node).orElseThrow(() -> RpcFailure.notFound("there is no node " + node));
        NodeAttachment attachment = new NodeAttachment(node, wanted.fingerprint(request.getReadonly()), Map.of());
        Optional<NodeAttachment> before = Optional.ofNullable(record.nodes().get(node));
        if (before.filter(known -> !known.fingerprint().equals(attachment.fingerprint()))
                .isPresent()) {
            throw new RpcFailure(
                    Status.Code.ALREADY_EXISTS,
                    "volume " + record.handle() + " is published on " + node + " with another capability");
        }
        VolumeSpec volume = record.spec(List.of(wanted.accessMode()), wanted.mode(), wanted.mountFlags());
        Optional<String> other = record.nodes().keySet().stream()
                .filter(known -> !known.equals(node))
                .findFirst();
        if (other.isPresent() && (wanted.onlyOneNode() || plugin.exclusive(volume))) {
            throw RpcFailure.precondition("volume " + record.handle() + " is published on node " + other.get());
        }
        VolumeRecord begun = records.announce(record.with(attachment));
        RpcContext context = rpcs.context("attach " + record.handle() + " to " + node, request.getSecretsMap(), begun);
        Outcome<Map<String, String>> outcome =
                plugin.requiresAttach(volume) ? plugin.attach(context, volume, there) : Outcome.done(Map.of());
        if (before.isEmpty() && outcome.isWithoutEffect()) {
            records.noteOrForget(records.now(begun).detachedFrom(node));
        }
        Map<String, String> answered = RpcFailure.orThrow(outcome, Asked.CONTROLLER);
        records.note(records.now(begun).with(attachment.with(answered)));
        return ControllerPublishVolumeResponse.newBuilder()
                .putAllPublishContext(answered)
                .build();
    }

    @Override
    public void controllerUnpublishVolume(
            ControllerUnpublishVolumeRequest request, StreamObserver<ControllerUnpublishVolumeResponse> observer) {
        Collection<String> hidden = request.getSecretsMap().values();
        rpcs.change("ControllerUnpublishVolume", request, observer, hidden, () -> {
            Attaching plugin = traits.need(Attaching.class);
            need(request.getVolumeId(), "volume_id");
            return rpcs.alone(VolumeLookup.lock(request.getVolumeId()), () -> detach(plugin, request));
        });
    }

    private ControllerUnpublishVolumeResponse detach(Attaching plugin, ControllerUnpublishVolumeRequest request)
            throws RpcFailure {
        Optional<VolumeHandle> handle = VolumeHandle.parse(request.getVolumeId());
        Optional<VolumeRecord> found = handle.isEmpty() ? Optional.empty() : lookup.find(handle.get());
        if (found.isPresent()) {
            VolumeRecord record = found.get();
            List<String> nodes =
                    request.getNodeId().isEmpty() ? List.copyOf(record.nodes().keySet()) : List.of(request.getNodeId());
            for (String node : nodes) {
                Optional<NodeRef> from = traits.node(node);
                if (from.isEmpty()) {
                    continue;
                }
                RpcContext context =
                        rpcs.context("detach " + record.handle() + " from " + node, request.getSecretsMap(), record);
                RpcFailure.orThrow(
                        plugin.detach(context, traits.plugin().identify(record.source()), from.get()),
                        Asked.CONTROLLER);
                record = records.now(record).detachedFrom(node);
                records.noteOrForget(record);
            }
        }
        return ControllerUnpublishVolumeResponse.getDefaultInstance();
    }

    @Override
    public void createSnapshot(CreateSnapshotRequest request, StreamObserver<CreateSnapshotResponse> observer) {
        Collection<String> hidden = request.getSecretsMap().values();
        rpcs.change("CreateSnapshot", request, observer, hidden, () -> snapshots.create(request));
    }

    @Override
    public void deleteSnapshot(DeleteSnapshotRequest request, StreamObserver<DeleteSnapshotResponse> observer) {
        Collection<String> hidden = request.getSecretsMap().values();
        rpcs.change("DeleteSnapshot", request, observer, hidden, () -> snapshots.delete(request));
    }

    @Override
    public void listSnapshots(ListSnapshotsRequest request, StreamObserver<ListSnapshotsResponse> observer) {
        Collection<String> hidden = request.getSecretsMap().values();
        rpcs.read("ListSnapshots", request, observer, hidden, () -> snapshots.list(request));
    }

    @Override
    public void controllerExpandVolume(
            ControllerExpandVolumeRequest request, StreamObserver<ControllerExpandVolumeResponse> observer) {
        Collection<String> hidden = request.getSecretsMap().values();
        rpcs.change("ControllerExpandVolume", request, observer, hidden, () -> {
            ControllerExpanding plugin = traits.need(ControllerExpanding.class);
            need(request.getVolumeId(), "volume_id");
            if (!request.hasCapacityRange()) {
                throw RpcFailure.invalid("capacity_range is missing");
            }
            VolumeMaker.checkRange(request.getCapacityRange());
            return rpcs.alone(VolumeLookup.lock(request.getVolumeId()), () -> {
                VolumeRecord record = lookup.existing(request.getVolumeId(), Map.of());
                if (!plugin.expands(record.spec())) {
                    throw RpcFailure.invalid("volume " + record.handle() + " cannot be made larger");
                }
                RpcContext context = rpcs.context("expand " + record.handle(), request.getSecretsMap(), record);
                Quantity wanted = Quantity.ofBytes(request.getCapacityRange().getRequiredBytes());
                ControllerExpanding.Expansion done =
                        RpcFailure.orThrow(plugin.expand(context, record.spec(), wanted), Asked.EXPAND);
                records.noteOrForget(records.now(record).sized(done.size()));
                return ControllerExpandVolumeResponse.newBuilder()
                        .setCapacityBytes(done.size().longValue())
                        .setNodeExpansionRequired(done.nodeExpansionRequired())
                        .build();
            });
        });
    }

    @Override
    public void controllerModifyVolume(
            ControllerModifyVolumeRequest request, StreamObserver<ControllerModifyVolumeResponse> observer) {
        Collection<String> hidden = request.getSecretsMap().values();
        rpcs.change("ControllerModifyVolume", request, observer, hidden, () -> {
            Modifying plugin = traits.need(Modifying.class);
            need(request.getVolumeId(), "volume_id");
            return rpcs.alone(VolumeLookup.lock(request.getVolumeId()), () -> {
                VolumeRecord record = lookup.existing(request.getVolumeId(), Map.of());
                RpcContext context = rpcs.context("modify " + record.handle(), request.getSecretsMap(), record);
                RpcFailure.orThrow(
                        plugin.modify(context, record.spec(), request.getMutableParamsMap()), Asked.CONTROLLER);
                records.noteOrForget(records.now(record).withAttributes(request.getMutableParamsMap()));
                return ControllerModifyVolumeResponse.getDefaultInstance();
            });
        });
    }

    @Override
    public void controllerGetVolume(
            ControllerGetVolumeRequest request, StreamObserver<ControllerGetVolumeResponse> observer) {
        rpcs.read("ControllerGetVolume", request, observer, () -> {
            Health plugin = traits.need(Health.class);
            need(request.getVolumeId(), "volume_id");
            VolumeRecord record = lookup.existing(request.getVolumeId(), Map.of());
            Health.Condition seen = RpcFailure.orThrow(
                    plugin.check(rpcs.context("check " + record.handle(), Map.of(), record), record.spec()),
                    Asked.CONTROLLER);
            return ControllerGetVolumeResponse.newBuilder()
                    .setVolume(volume(record))
                    .setStatus(ControllerGetVolumeResponse.VolumeStatus.newBuilder()
                            .addAllPublishedNodeIds(record.nodes().keySet())
                            .setVolumeCondition(VolumeCondition.newBuilder()
                                    .setAbnormal(seen.abnormal())
                                    .setMessage(seen.message())))
                    .build();
        });
    }

    private static void need(String value, String field) throws RpcFailure {
        if (value.isEmpty()) {
            throw RpcFailure.invalid(field + " is missing");
        }
    }

    private Volume volume(VolumeRecord record) {
        Volume.Builder volume = Volume.newBuilder()
                .setVolumeId(record.handle().text())
                .setCapacityBytes(record.capacity().longValue())
                .putAllVolumeContext(RecordJson.context(record));
        VolumeContents.told(record.request().content()).ifPresent(volume::setContentSource);
        if (traits.bound()) {
            volume.addAccessibleTopology(traits.topology());
        }
        return volume.build();
    }
}
