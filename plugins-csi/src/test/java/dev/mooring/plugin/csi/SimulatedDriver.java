// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import com.google.protobuf.Message;
import dev.mooring.csi.v1.ControllerGetCapabilitiesResponse;
import dev.mooring.csi.v1.ControllerPublishVolumeRequest;
import dev.mooring.csi.v1.ControllerPublishVolumeResponse;
import dev.mooring.csi.v1.ControllerServiceCapability;
import dev.mooring.csi.v1.ControllerUnpublishVolumeRequest;
import dev.mooring.csi.v1.ControllerUnpublishVolumeResponse;
import dev.mooring.csi.v1.CreateVolumeRequest;
import dev.mooring.csi.v1.CreateVolumeResponse;
import dev.mooring.csi.v1.DeleteVolumeRequest;
import dev.mooring.csi.v1.DeleteVolumeResponse;
import dev.mooring.csi.v1.GetPluginCapabilitiesResponse;
import dev.mooring.csi.v1.GetPluginInfoResponse;
import dev.mooring.csi.v1.NodeGetCapabilitiesResponse;
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
import dev.mooring.csi.v1.ProbeResponse;
import dev.mooring.csi.v1.Volume;
import dev.mooring.plugin.csi.DirectChannel.Reply;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * What a driver of a simulated world has and does: volumes for one node at a time, which are attached, staged and published. It takes down
 * what no host may ask of it. Confined to the world's thread.
 */
final class SimulatedDriver {
    static final String NAME = "disk.example.com";
    private static final String ATTACHED = "attached-to";

    /** By the name that CreateVolume gave. */
    final Map<String, Volume> volumes = new TreeMap<>();

    /** The nodes to which volumes are attached. */
    final Map<String, TreeSet<String>> attached = new TreeMap<>();

    /** Where volumes are staged, by {@code volume@node}. */
    final Map<String, TreeSet<String>> staged = new TreeMap<>();

    /** Where volumes are published, by {@code volume@node}. */
    final Map<String, TreeSet<String>> published = new TreeMap<>();

    private final List<String> violations = new ArrayList<>();
    private final Map<String, MountingDriver> machines = new TreeMap<>();
    private int made;

    /** The driver's part on a machine. */
    void on(String node, MountingDriver machine) {
        machines.put(node, machine);
    }

    /** What was asked that no host may ask. */
    List<String> violations() {
        return List.copyOf(violations);
    }

    /** What it still has; nothing if all is gone. */
    List<String> left() {
        List<String> all = new ArrayList<>();
        volumes.forEach((name, volume) -> all.add("volume " + volume.getVolumeId() + " named " + name));
        attached.forEach((volume, nodes) -> nodes.forEach(node -> all.add(volume + " attached to " + node)));
        staged.forEach((volume, paths) -> paths.forEach(path -> all.add(volume + " staged at " + path)));
        published.forEach((volume, paths) -> paths.forEach(path -> all.add(volume + " published at " + path)));
        return all;
    }

    private void require(boolean met, String rule, Object what) {
        if (!met) {
            violations.add(rule + ": " + what);
        }
    }

    private static Reply refused(Status.Code code, String words) {
        return Reply.failure(code, words, dev.mooring.csi.CsiStatus.Origin.DRIVER);
    }

    private static TreeSet<String> of(Map<String, TreeSet<String>> all, String key) {
        return all.getOrDefault(key, new TreeSet<>());
    }

    private static void add(Map<String, TreeSet<String>> all, String key, String value) {
        all.computeIfAbsent(key, fresh -> new TreeSet<>()).add(value);
    }

    private static void remove(Map<String, TreeSet<String>> all, String key, String value) {
        all.computeIfPresent(key, (same, values) -> {
            values.remove(value);
            return values.isEmpty() ? null : values;
        });
    }

    private boolean exists(String id) {
        return volumes.values().stream().anyMatch(volume -> volume.getVolumeId().equals(id));
    }

    /** Whether the effect of a call is there already: a driver that says then that it cannot do it lies. */
    boolean hasDone(String node, Message request) {
        if (request instanceof CreateVolumeRequest create) {
            return volumes.containsKey(create.getName());
        } else if (request instanceof ControllerPublishVolumeRequest attach) {
            return of(attached, attach.getVolumeId()).contains(attach.getNodeId());
        } else if (request instanceof NodeStageVolumeRequest stage) {
            return of(staged, stage.getVolumeId() + "@" + node).contains(stage.getStagingTargetPath());
        }
        return request instanceof NodePublishVolumeRequest publish
                && of(published, publish.getVolumeId() + "@" + node).contains(publish.getTargetPath());
    }

    /** Does what a call asks for. */
    Reply answer(String node, String rpc, Message request) {
        if (request instanceof CreateVolumeRequest create) {
            return create(create);
        } else if (request instanceof DeleteVolumeRequest delete) {
            return delete(delete.getVolumeId());
        } else if (request instanceof ControllerPublishVolumeRequest attach) {
            return attach(attach);
        } else if (request instanceof ControllerUnpublishVolumeRequest detach) {
            return detach(detach.getVolumeId(), detach.getNodeId());
        } else if (request instanceof NodeStageVolumeRequest stage) {
            return stage(node, stage);
        } else if (request instanceof NodeUnstageVolumeRequest unstage) {
            return unstage(node, unstage.getVolumeId(), unstage.getStagingTargetPath());
        } else if (request instanceof NodePublishVolumeRequest publish) {
            return publish(node, publish);
        } else if (request instanceof NodeUnpublishVolumeRequest unpublish) {
            return unpublish(node, unpublish.getVolumeId(), unpublish.getTargetPath());
        }
        return LOOKS.getOrDefault(rpc, () -> refused(Status.Code.UNIMPLEMENTED, rpc + " is not there"))
                .get();
    }

    // ---- the controller's half

    private Reply create(CreateVolumeRequest create) {
        Volume volume = volumes.computeIfAbsent(
                create.getName(),
                fresh -> Volume.newBuilder()
                        .setVolumeId("vol-" + ++made)
                        .setCapacityBytes(create.getCapacityRange().getRequiredBytes())
                        .build());
        return Reply.of(CreateVolumeResponse.newBuilder().setVolume(volume).build());
    }

    private Reply delete(String id) {
        if (!of(attached, id).isEmpty()) {
            require(false, "a volume is destroyed that is attached", id);
            return refused(Status.Code.FAILED_PRECONDITION, id + " is attached");
        }
        volumes.values().removeIf(volume -> volume.getVolumeId().equals(id));
        return Reply.of(DeleteVolumeResponse.getDefaultInstance());
    }

    private Reply attach(ControllerPublishVolumeRequest attach) {
        String id = attach.getVolumeId();
        if (!exists(id)) {
            return refused(Status.Code.NOT_FOUND, "there is no volume " + id);
        }
        TreeSet<String> others = new TreeSet<>(of(attached, id));
        others.remove(attach.getNodeId());
        if (!others.isEmpty()) {
            return refused(Status.Code.FAILED_PRECONDITION, id + " is attached to " + others);
        }
        add(attached, id, attach.getNodeId());
        return Reply.of(ControllerPublishVolumeResponse.newBuilder()
                .putPublishContext(ATTACHED, attach.getNodeId())
                .build());
    }

    private Reply detach(String id, String nodeId) {
        String node = nodeId.replace("id-of-", "");
        require(of(staged, id + "@" + node).isEmpty(), "a volume is detached that is staged", id + "@" + node);
        remove(attached, id, nodeId);
        return Reply.of(ControllerUnpublishVolumeResponse.getDefaultInstance());
    }

    // ---- the node's half

    private Reply stage(String node, NodeStageVolumeRequest stage) {
        String key = stage.getVolumeId() + "@" + node;
        String id = "id-of-" + node;
        if (!of(attached, stage.getVolumeId()).contains(id)) {
            return refused(Status.Code.FAILED_PRECONDITION, stage.getVolumeId() + " is not attached to " + node);
        }
        require(
                id.equals(stage.getPublishContextMap().get(ATTACHED)),
                "a volume is staged without what its attachment said",
                key);
        add(staged, key, stage.getStagingTargetPath());
        require(of(staged, key).size() == 1, "a volume is staged under two names", key + " at " + of(staged, key));
        machines.get(node).show(stage.getStagingTargetPath());
        return Reply.of(NodeStageVolumeResponse.getDefaultInstance());
    }

    private Reply unstage(String node, String id, String path) {
        require(of(published, id + "@" + node).isEmpty(), "a volume is unstaged that is published", id + "@" + node);
        remove(staged, id + "@" + node, path);
        machines.get(node).hide(path);
        return Reply.of(NodeUnstageVolumeResponse.getDefaultInstance());
    }

    private Reply publish(String node, NodePublishVolumeRequest publish) {
        String key = publish.getVolumeId() + "@" + node;
        if (!of(staged, key).contains(publish.getStagingTargetPath())) {
            require(false, "a volume is published that was never staged", key);
            return refused(Status.Code.FAILED_PRECONDITION, key + " is not staged");
        }
        add(published, key, publish.getTargetPath());
        machines.get(node).show(publish.getTargetPath());
        return Reply.of(NodePublishVolumeResponse.getDefaultInstance());
    }

    private Reply unpublish(String node, String id, String path) {
        remove(published, id + "@" + node, path);
        machines.get(node).hide(path);
        return Reply.of(NodeUnpublishVolumeResponse.getDefaultInstance());
    }

    // ---- what it is

    private static final Map<String, Supplier<Reply>> LOOKS = Map.of(
            "Probe",
            () -> Reply.of(ProbeResponse.getDefaultInstance()),
            "GetPluginInfo",
            () -> Reply.of(GetPluginInfoResponse.newBuilder().setName(NAME).build()),
            "GetPluginCapabilities",
            () -> Reply.of(GetPluginCapabilitiesResponse.newBuilder()
                    .addCapabilities(PluginCapability.newBuilder()
                            .setService(PluginCapability.Service.newBuilder()
                                    .setType(PluginCapability.Service.Type.CONTROLLER_SERVICE)))
                    .build()),
            "ControllerGetCapabilities",
            () -> Reply.of(ControllerGetCapabilitiesResponse.newBuilder()
                    .addCapabilities(able(ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME))
                    .addCapabilities(able(ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME))
                    .build()),
            "NodeGetCapabilities",
            () -> Reply.of(NodeGetCapabilitiesResponse.newBuilder()
                    .addCapabilities(NodeServiceCapability.newBuilder()
                            .setRpc(NodeServiceCapability.RPC
                                    .newBuilder()
                                    .setType(NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME)))
                    .build()));

    private static ControllerServiceCapability able(ControllerServiceCapability.RPC.Type type) {
        return ControllerServiceCapability.newBuilder()
                .setRpc(ControllerServiceCapability.RPC.newBuilder().setType(type))
                .build();
    }
}
