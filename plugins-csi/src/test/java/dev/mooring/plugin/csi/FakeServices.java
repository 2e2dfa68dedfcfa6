// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import com.google.protobuf.Int64Value;
import com.google.protobuf.Timestamp;
import dev.mooring.csi.v1.ControllerExpandVolumeRequest;
import dev.mooring.csi.v1.ControllerExpandVolumeResponse;
import dev.mooring.csi.v1.ControllerGetCapabilitiesRequest;
import dev.mooring.csi.v1.ControllerGetCapabilitiesResponse;
import dev.mooring.csi.v1.ControllerGetVolumeRequest;
import dev.mooring.csi.v1.ControllerGetVolumeResponse;
import dev.mooring.csi.v1.ControllerGrpc;
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
import dev.mooring.csi.v1.GetPluginCapabilitiesRequest;
import dev.mooring.csi.v1.GetPluginCapabilitiesResponse;
import dev.mooring.csi.v1.GetPluginInfoRequest;
import dev.mooring.csi.v1.GetPluginInfoResponse;
import dev.mooring.csi.v1.IdentityGrpc;
import dev.mooring.csi.v1.ListSnapshotsRequest;
import dev.mooring.csi.v1.ListSnapshotsResponse;
import dev.mooring.csi.v1.ListVolumesRequest;
import dev.mooring.csi.v1.ListVolumesResponse;
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
import dev.mooring.csi.v1.PluginCapability;
import dev.mooring.csi.v1.ProbeRequest;
import dev.mooring.csi.v1.ProbeResponse;
import dev.mooring.csi.v1.Snapshot;
import dev.mooring.csi.v1.Topology;
import dev.mooring.csi.v1.Volume;
import dev.mooring.csi.v1.VolumeCondition;
import io.grpc.BindableService;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Set;

/** The services of {@link FakeDriver}. */
record FakeServices(FakeDriver driver) {
    BindableService identity() {
        return new Identity();
    }

    BindableService controller() {
        return new Controller();
    }

    BindableService node() {
        return new Node();
    }

    private static void require(boolean met, Status.Code code, String why) {
        if (!met) {
            throw code.toStatus().withDescription(why).asRuntimeException();
        }
    }

    private static boolean has(Set<String> places, String volume) {
        return places.stream().anyMatch(place -> place.startsWith(volume + "@"));
    }

    private final class Identity extends IdentityGrpc.IdentityImplBase {
        @Override
        public void probe(ProbeRequest request, StreamObserver<ProbeResponse> observer) {
            driver.answer(request, observer, ProbeResponse::getDefaultInstance);
        }

        @Override
        public void getPluginInfo(GetPluginInfoRequest request, StreamObserver<GetPluginInfoResponse> observer) {
            driver.answer(
                    request,
                    observer,
                    () -> GetPluginInfoResponse.newBuilder()
                            .setName(FakeDriver.NAME)
                            .setVendorVersion("1")
                            .build());
        }

        @Override
        public void getPluginCapabilities(
                GetPluginCapabilitiesRequest request, StreamObserver<GetPluginCapabilitiesResponse> observer) {
            driver.answer(request, observer, () -> {
                GetPluginCapabilitiesResponse.Builder all = GetPluginCapabilitiesResponse.newBuilder()
                        .addCapabilities(offered(PluginCapability.Service.Type.CONTROLLER_SERVICE));
                if (!driver.topology.isEmpty()) {
                    all.addCapabilities(offered(PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS));
                }
                return all.build();
            });
        }

        private PluginCapability offered(PluginCapability.Service.Type type) {
            return PluginCapability.newBuilder()
                    .setService(PluginCapability.Service.newBuilder().setType(type))
                    .build();
        }
    }

    private final class Controller extends ControllerGrpc.ControllerImplBase {
        @Override
        public void controllerGetCapabilities(
                ControllerGetCapabilitiesRequest request, StreamObserver<ControllerGetCapabilitiesResponse> observer) {
            driver.answer(request, observer, () -> {
                ControllerGetCapabilitiesResponse.Builder all = ControllerGetCapabilitiesResponse.newBuilder();
                driver.controller.forEach(type -> all.addCapabilities(ControllerServiceCapability.newBuilder()
                        .setRpc(ControllerServiceCapability.RPC.newBuilder().setType(type))));
                return all.build();
            });
        }

        @Override
        public void createVolume(CreateVolumeRequest request, StreamObserver<CreateVolumeResponse> observer) {
            driver.answer(request, observer, () -> {
                Volume.Builder made = Volume.newBuilder()
                        .setVolumeId("handle-" + request.getName())
                        .setCapacityBytes(request.getCapacityRange().getRequiredBytes())
                        .putVolumeContext("made", "by-fake");
                if (!driver.topology.isEmpty()) {
                    made.addAccessibleTopology(
                            request.getAccessibilityRequirements().getPreferred(0));
                }
                if (request.hasVolumeContentSource() && !driver.forgetsContent) {
                    made.setContentSource(request.getVolumeContentSource());
                }
                Volume volume = driver.volumes.computeIfAbsent(request.getName(), fresh -> made.build());
                return CreateVolumeResponse.newBuilder().setVolume(volume).build();
            });
        }

        @Override
        public void createSnapshot(CreateSnapshotRequest request, StreamObserver<CreateSnapshotResponse> observer) {
            driver.answer(request, observer, () -> {
                Snapshot made = driver.snapshots.computeIfAbsent(
                        request.getName(),
                        name -> Snapshot.newBuilder()
                                .setSnapshotId("handle-" + name)
                                .setSourceVolumeId(request.getSourceVolumeId())
                                .setSizeBytes(1L << 30)
                                .setCreationTime(Timestamp.newBuilder().setSeconds(1_000_000_000))
                                .build());
                return CreateSnapshotResponse.newBuilder()
                        .setSnapshot(made.toBuilder().setReadyToUse(driver.unready-- <= 0))
                        .build();
            });
        }

        @Override
        public void deleteSnapshot(DeleteSnapshotRequest request, StreamObserver<DeleteSnapshotResponse> observer) {
            driver.answer(request, observer, () -> {
                driver.snapshots
                        .values()
                        .removeIf(snapshot -> snapshot.getSnapshotId().equals(request.getSnapshotId()));
                return DeleteSnapshotResponse.getDefaultInstance();
            });
        }

        @Override
        public void listSnapshots(ListSnapshotsRequest request, StreamObserver<ListSnapshotsResponse> observer) {
            driver.answer(request, observer, () -> {
                ListSnapshotsResponse.Builder all = ListSnapshotsResponse.newBuilder();
                driver.snapshots.values().stream()
                        .filter(snapshot -> snapshot.getSnapshotId().equals(request.getSnapshotId()))
                        .forEach(snapshot -> all.addEntries(ListSnapshotsResponse.Entry.newBuilder()
                                .setSnapshot(snapshot.toBuilder().setReadyToUse(true))));
                return all.build();
            });
        }

        @Override
        public void deleteVolume(DeleteVolumeRequest request, StreamObserver<DeleteVolumeResponse> observer) {
            driver.answer(request, observer, () -> {
                require(
                        !has(driver.attached, request.getVolumeId()) && !has(driver.staged, request.getVolumeId()),
                        Status.Code.FAILED_PRECONDITION,
                        "in use");
                driver.volumes.values().removeIf(volume -> volume.getVolumeId().equals(request.getVolumeId()));
                return DeleteVolumeResponse.getDefaultInstance();
            });
        }

        @Override
        public void controllerGetVolume(
                ControllerGetVolumeRequest request, StreamObserver<ControllerGetVolumeResponse> observer) {
            driver.answer(
                    request,
                    observer,
                    () -> ControllerGetVolumeResponse.newBuilder()
                            .setStatus(ControllerGetVolumeResponse.VolumeStatus.newBuilder()
                                    .setVolumeCondition(condition(request.getVolumeId())))
                            .build());
        }

        /** A volume a page. */
        @Override
        public void listVolumes(ListVolumesRequest request, StreamObserver<ListVolumesResponse> observer) {
            driver.beforeListing.run();
            driver.answer(request, observer, () -> {
                List<Volume> all = List.copyOf(driver.volumes.values());
                int at = request.getStartingToken().isEmpty() ? 0 : Integer.parseInt(request.getStartingToken());
                ListVolumesResponse.Builder page = ListVolumesResponse.newBuilder();
                if (at < all.size()) {
                    page.addEntries(ListVolumesResponse.Entry.newBuilder()
                            .setVolume(all.get(at))
                            .setStatus(ListVolumesResponse.VolumeStatus.newBuilder()
                                    .addAllPublishedNodeIds(
                                            driver.nodesOf(all.get(at).getVolumeId()))
                                    .setVolumeCondition(condition(all.get(at).getVolumeId()))));
                }
                return page.setNextToken(at + 1 < all.size() ? Integer.toString(at + 1) : "")
                        .build();
            });
        }

        @Override
        public void getCapacity(GetCapacityRequest request, StreamObserver<GetCapacityResponse> observer) {
            driver.answer(request, observer, () -> {
                String place = String.join(
                        ",", request.getAccessibleTopology().getSegmentsMap().values());
                return GetCapacityResponse.newBuilder()
                        .setAvailableCapacity(driver.free.getOrDefault(place, 0L))
                        .setMaximumVolumeSize(Int64Value.of(driver.free.getOrDefault(place, 0L) / 2))
                        .build();
            });
        }

        @Override
        public void controllerPublishVolume(
                ControllerPublishVolumeRequest request, StreamObserver<ControllerPublishVolumeResponse> observer) {
            driver.answer(request, observer, () -> {
                driver.attached.add(request.getVolumeId() + "@" + request.getNodeId());
                return ControllerPublishVolumeResponse.newBuilder()
                        .putPublishContext("device", "/dev/fake")
                        .build();
            });
        }

        @Override
        public void controllerUnpublishVolume(
                ControllerUnpublishVolumeRequest request, StreamObserver<ControllerUnpublishVolumeResponse> observer) {
            driver.answer(request, observer, () -> {
                require(!has(driver.staged, request.getVolumeId()), Status.Code.FAILED_PRECONDITION, "still staged");
                driver.attached.remove(request.getVolumeId() + "@" + request.getNodeId());
                return ControllerUnpublishVolumeResponse.getDefaultInstance();
            });
        }

        @Override
        public void controllerExpandVolume(
                ControllerExpandVolumeRequest request, StreamObserver<ControllerExpandVolumeResponse> observer) {
            driver.answer(
                    request,
                    observer,
                    () -> ControllerExpandVolumeResponse.newBuilder()
                            .setCapacityBytes(request.getCapacityRange().getRequiredBytes())
                            .setNodeExpansionRequired(true)
                            .build());
        }
    }

    private VolumeCondition condition(String id) {
        return VolumeCondition.newBuilder()
                .setAbnormal(driver.abnormal.containsKey(id))
                .setMessage(driver.abnormal.getOrDefault(id, "well"))
                .build();
    }

    private final class Node extends NodeGrpc.NodeImplBase {
        @Override
        public void nodeGetInfo(NodeGetInfoRequest request, StreamObserver<NodeGetInfoResponse> observer) {
            driver.answer(
                    request,
                    observer,
                    () -> NodeGetInfoResponse.newBuilder()
                            .setNodeId("id-of-this-node")
                            .setMaxVolumesPerNode(driver.mostVolumes)
                            .setAccessibleTopology(Topology.newBuilder().putAllSegments(driver.topology))
                            .build());
        }

        @Override
        public void nodeGetCapabilities(
                NodeGetCapabilitiesRequest request, StreamObserver<NodeGetCapabilitiesResponse> observer) {
            driver.answer(request, observer, () -> {
                NodeGetCapabilitiesResponse.Builder all = NodeGetCapabilitiesResponse.newBuilder();
                driver.node.forEach(type -> all.addCapabilities(NodeServiceCapability.newBuilder()
                        .setRpc(NodeServiceCapability.RPC.newBuilder().setType(type))));
                return all.build();
            });
        }

        @Override
        public void nodeStageVolume(NodeStageVolumeRequest request, StreamObserver<NodeStageVolumeResponse> observer) {
            driver.answer(request, observer, () -> {
                require(
                        !has(driver.attached, request.getVolumeId())
                                || "/dev/fake"
                                        .equals(request.getPublishContextMap().get("device")),
                        Status.Code.INVALID_ARGUMENT,
                        "no publish context");
                driver.staged.add(request.getVolumeId() + "@" + request.getStagingTargetPath());
                driver.mounts.ifPresent(mounts -> mounts.show(request.getStagingTargetPath()));
                return NodeStageVolumeResponse.getDefaultInstance();
            });
        }

        @Override
        public void nodeUnstageVolume(
                NodeUnstageVolumeRequest request, StreamObserver<NodeUnstageVolumeResponse> observer) {
            driver.answer(request, observer, () -> {
                require(
                        !has(driver.published, request.getVolumeId()),
                        Status.Code.FAILED_PRECONDITION,
                        "still published");
                driver.staged.remove(request.getVolumeId() + "@" + request.getStagingTargetPath());
                driver.mounts.ifPresent(mounts -> mounts.hide(request.getStagingTargetPath()));
                return NodeUnstageVolumeResponse.getDefaultInstance();
            });
        }

        @Override
        public void nodePublishVolume(
                NodePublishVolumeRequest request, StreamObserver<NodePublishVolumeResponse> observer) {
            driver.answer(request, observer, () -> {
                boolean ephemeral = "true".equals(request.getVolumeContextMap().get("csi.storage.k8s.io/ephemeral"));
                require(
                        ephemeral
                                || !driver.node.contains(NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME)
                                || driver.staged.contains(request.getVolumeId() + "@" + request.getStagingTargetPath()),
                        Status.Code.FAILED_PRECONDITION,
                        "never staged");
                driver.published.add(request.getVolumeId() + "@" + request.getTargetPath());
                driver.mounts.ifPresent(mounts -> mounts.show(request.getTargetPath()));
                return NodePublishVolumeResponse.getDefaultInstance();
            });
        }

        @Override
        public void nodeUnpublishVolume(
                NodeUnpublishVolumeRequest request, StreamObserver<NodeUnpublishVolumeResponse> observer) {
            driver.answer(request, observer, () -> {
                driver.published.remove(request.getVolumeId() + "@" + request.getTargetPath());
                driver.mounts.ifPresent(mounts -> mounts.hide(request.getTargetPath()));
                return NodeUnpublishVolumeResponse.getDefaultInstance();
            });
        }

        @Override
        public void nodeGetVolumeStats(
                NodeGetVolumeStatsRequest request, StreamObserver<NodeGetVolumeStatsResponse> observer) {
            driver.answer(
                    request,
                    observer,
                    () -> NodeGetVolumeStatsResponse.newBuilder()
                            .setVolumeCondition(condition(request.getVolumeId()))
                            .build());
        }

        @Override
        public void nodeExpandVolume(
                NodeExpandVolumeRequest request, StreamObserver<NodeExpandVolumeResponse> observer) {
            driver.answer(
                    request,
                    observer,
                    () -> NodeExpandVolumeResponse.newBuilder()
                            .setCapacityBytes(request.getCapacityRange().getRequiredBytes())
                            .build());
        }
    }
}
