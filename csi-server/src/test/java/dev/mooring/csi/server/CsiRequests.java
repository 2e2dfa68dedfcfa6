// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.csi.v1.CapacityRange;
import dev.mooring.csi.v1.ControllerExpandVolumeRequest;
import dev.mooring.csi.v1.ControllerPublishVolumeRequest;
import dev.mooring.csi.v1.ControllerUnpublishVolumeRequest;
import dev.mooring.csi.v1.CreateSnapshotRequest;
import dev.mooring.csi.v1.CreateVolumeRequest;
import dev.mooring.csi.v1.DeleteSnapshotRequest;
import dev.mooring.csi.v1.DeleteVolumeRequest;
import dev.mooring.csi.v1.ListSnapshotsRequest;
import dev.mooring.csi.v1.ListVolumesRequest;
import dev.mooring.csi.v1.NodeExpandVolumeRequest;
import dev.mooring.csi.v1.NodeGetVolumeStatsRequest;
import dev.mooring.csi.v1.NodePublishVolumeRequest;
import dev.mooring.csi.v1.NodeStageVolumeRequest;
import dev.mooring.csi.v1.NodeUnpublishVolumeRequest;
import dev.mooring.csi.v1.NodeUnstageVolumeRequest;
import dev.mooring.csi.v1.ValidateVolumeCapabilitiesRequest;
import dev.mooring.csi.v1.Volume;
import dev.mooring.csi.v1.VolumeCapability;
import dev.mooring.csi.v1.VolumeContentSource;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Requests as csi-sanity and Kubernetes make them. */
final class CsiRequests {
    private CsiRequests() {}

    static CreateVolumeRequest create(String name, long least, long most, VolumeCapability capability) {
        return CreateVolumeRequest.newBuilder()
                .setName(name)
                .addVolumeCapabilities(capability)
                .setCapacityRange(
                        CapacityRange.newBuilder().setRequiredBytes(least).setLimitBytes(most))
                .build();
    }

    static DeleteVolumeRequest delete(String id) {
        return DeleteVolumeRequest.newBuilder().setVolumeId(id).build();
    }

    static ListVolumesRequest page(int most, String token) {
        return ListVolumesRequest.newBuilder()
                .setMaxEntries(most)
                .setStartingToken(token)
                .build();
    }

    static CreateSnapshotRequest take(String name, String volume) {
        return CreateSnapshotRequest.newBuilder()
                .setName(name)
                .setSourceVolumeId(volume)
                .build();
    }

    static DeleteSnapshotRequest destroy(String id) {
        return DeleteSnapshotRequest.newBuilder().setSnapshotId(id).build();
    }

    static ListSnapshotsRequest snapshots(int most, String token) {
        return ListSnapshotsRequest.newBuilder()
                .setMaxEntries(most)
                .setStartingToken(token)
                .build();
    }

    static VolumeContentSource ofSnapshot(String id) {
        return VolumeContentSource.newBuilder()
                .setSnapshot(VolumeContentSource.SnapshotSource.newBuilder().setSnapshotId(id))
                .build();
    }

    static VolumeContentSource ofVolume(String id) {
        return VolumeContentSource.newBuilder()
                .setVolume(VolumeContentSource.VolumeSource.newBuilder().setVolumeId(id))
                .build();
    }

    static ValidateVolumeCapabilitiesRequest validate(Volume volume, VolumeCapability... capabilities) {
        return ValidateVolumeCapabilitiesRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .putAllVolumeContext(volume.getVolumeContextMap())
                .addAllVolumeCapabilities(List.of(capabilities))
                .build();
    }

    static ControllerPublishVolumeRequest attach(Volume volume, String node, VolumeCapability capability) {
        return ControllerPublishVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .setNodeId(node)
                .setVolumeCapability(capability)
                .putAllVolumeContext(volume.getVolumeContextMap())
                .build();
    }

    static ControllerUnpublishVolumeRequest detach(String id, String node) {
        return ControllerUnpublishVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setNodeId(node)
                .build();
    }

    static ControllerExpandVolumeRequest expand(String id, long bytes) {
        return ControllerExpandVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(bytes))
                .build();
    }

    static NodeStageVolumeRequest stage(
            Volume volume, Path staging, VolumeCapability capability, Map<String, String> attached) {
        return NodeStageVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .setStagingTargetPath(staging.toString())
                .setVolumeCapability(capability)
                .putAllPublishContext(attached)
                .putAllVolumeContext(volume.getVolumeContextMap())
                .build();
    }

    static NodeUnstageVolumeRequest unstage(String id, Path staging) {
        return NodeUnstageVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setStagingTargetPath(staging.toString())
                .build();
    }

    static NodePublishVolumeRequest publish(Volume volume, Path target, VolumeCapability capability) {
        return NodePublishVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .setTargetPath(target.toString())
                .setVolumeCapability(capability)
                .putAllVolumeContext(volume.getVolumeContextMap())
                .build();
    }

    static NodeUnpublishVolumeRequest unpublish(String id, String target) {
        return NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setTargetPath(target)
                .build();
    }

    static NodeGetVolumeStatsRequest measure(String id, String path) {
        return NodeGetVolumeStatsRequest.newBuilder()
                .setVolumeId(id)
                .setVolumePath(path)
                .build();
    }

    static NodeExpandVolumeRequest grow(String id, String path) {
        return NodeExpandVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setVolumePath(path)
                .build();
    }
}
