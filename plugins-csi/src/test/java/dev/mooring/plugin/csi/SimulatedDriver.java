// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import com.google.protobuf.Message;
import dev.mooring.csi.CsiStatus.Origin;
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
import java.util.Set;
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
    final Map<String, Set<String>> attached = new TreeMap<>();

    /** Where volumes are staged, by {@code volume@node}. */
    final Map<String, Set<String>> staged = new TreeMap<>();

    /** Where volumes are published, by {@code volume@node}. */
    final Map<String, Set<String>> published = new TreeMap<>();

    /** What snapshots and larger volumes it has. */
    final SimulatedStorage storage = new SimulatedStorage(this);

    private final boolean stages;
    private final List<String> violations = new ArrayList<>();
    private final Map<String, MountingDriver> machines = new TreeMap<>();
    private int made;

    /**
     * A driver that has nothing yet.
     *
     * @param stages whether it stages volumes before it publishes them
     */
    SimulatedDriver(boolean stages) {
        this.stages = stages;
    }

    /** The driver's part on a machine. */
    void on(String node, MountingDriver machine) {
        machines.put(node, machine);
    }

    /** A machine has died, with all that the driver had there. */
    void machineDied(String node) {
        staged.keySet().removeIf(key -> key.endsWith("@" + node));
        published.keySet().removeIf(key -> key.endsWith("@" + node));
    }

    /** Whether a volume is shown at a path of a machine. A device is shown where it is published alone. */
    boolean isAt(String node, String id, String path) {
        String key = id + "@" + node;
        return of(published, key).contains(path)
                || (!storage.isDevice(id) && of(staged, key).contains(path));
    }

    /** Whether a volume is shown to a pod on a machine. */
    boolean isPublishedFor(String node, String podUid) {
        return published.entrySet().stream()
                .filter(each -> each.getKey().endsWith("@" + node))
                .flatMap(each -> each.getValue().stream())
                .anyMatch(path -> path.contains(podUid));
    }

    /** What was asked that no host may ask. */
    List<String> violations() {
        return List.copyOf(violations);
    }

    /** What it still has; nothing if all is gone. */
    List<String> left() {
        List<String> all = new ArrayList<>();
        volumes.forEach((name, volume) -> all.add("volume " + volume.getVolumeId() + " named " + name));
        storage.snapshots.forEach(
                (name, snapshot) -> all.add("snapshot " + snapshot.getSnapshotId() + " named " + name));
        attached.forEach((volume, nodes) -> nodes.forEach(node -> all.add(volume + " attached to " + node)));
        staged.forEach((volume, paths) -> paths.forEach(path -> all.add(volume + " staged at " + path)));
        published.forEach((volume, paths) -> paths.forEach(path -> all.add(volume + " published at " + path)));
        return all;
    }

    void require(boolean met, String rule, Object what) {
        if (!met) {
            violations.add(rule + ": " + what);
        }
    }

    static Reply refused(Status.Code code, String words) {
        return Reply.failure(code, words, Origin.DRIVER);
    }

    private static Set<String> of(Map<String, Set<String>> all, String key) {
        return all.getOrDefault(key, new TreeSet<>());
    }

    private static void add(Map<String, Set<String>> all, String key, String value) {
        all.computeIfAbsent(key, fresh -> new TreeSet<>()).add(value);
    }

    private static void remove(Map<String, Set<String>> all, String key, String value) {
        all.computeIfPresent(key, (same, values) -> {
            values.remove(value);
            return values.isEmpty() ? null : values;
        });
    }

    boolean exists(String id) {
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
                ? of(published, publish.getVolumeId() + "@" + node).contains(publish.getTargetPath())
                : storage.hasDone(request);
    }

    /** Does what a call asks for. */
    Reply answer(String node, String rpc, Message request) {
        if (request instanceof CreateVolumeRequest create) {
            return storage.sourceOf(create).orElseGet(() -> create(create));
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
        if (rpc.equals("NodeGetCapabilities")) {
            return nodeAbilities();
        }
        return storage.answer(node, request).orElseGet(() -> look(rpc));
    }

    private static Reply look(String rpc) {
        return LOOKS.getOrDefault(rpc, () -> refused(Status.Code.UNIMPLEMENTED, rpc + " is not there"))
                .get();
    }

    // ---- the controller's half

    private Reply create(CreateVolumeRequest create) {
        Volume volume = volumes.computeIfAbsent(create.getName(), fresh -> {
            Volume.Builder building = Volume.newBuilder()
                    .setVolumeId("vol-" + ++made)
                    .setCapacityBytes(create.getCapacityRange().getRequiredBytes());
            if (create.hasVolumeContentSource()) {
                building.setContentSource(create.getVolumeContentSource());
            }
            storage.made(building.getVolumeId(), create);
            return building.build();
        });
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
        Set<String> others = new TreeSet<>(of(attached, id));
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
        require(of(published, id + "@" + node).isEmpty(), "a volume is detached that is published", id + "@" + node);
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
        storage.requireMode(stage.getVolumeId(), stage.getVolumeCapability());
        add(staged, key, stage.getStagingTargetPath());
        require(of(staged, key).size() == 1, "a volume is staged under two names", key + " at " + of(staged, key));
        if (!storage.isDevice(stage.getVolumeId())) {
            machines.get(node).show(stage.getStagingTargetPath());
        }
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
        if (stages && !of(staged, key).contains(publish.getStagingTargetPath())) {
            require(false, "a volume is published that was never staged", key);
            return refused(Status.Code.FAILED_PRECONDITION, key + " is not staged");
        }
        if (!of(attached, publish.getVolumeId()).contains("id-of-" + node)) {
            return refused(Status.Code.FAILED_PRECONDITION, publish.getVolumeId() + " is not attached to " + node);
        }
        storage.requireMode(publish.getVolumeId(), publish.getVolumeCapability());
        add(published, key, publish.getTargetPath());
        if (storage.isDevice(publish.getVolumeId())) {
            machines.get(node).show(SimulatedMachine.DEVICE, publish.getTargetPath());
        } else {
            machines.get(node).show(publish.getTargetPath());
        }
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
                    .addCapabilities(able(ControllerServiceCapability.RPC.Type.CREATE_DELETE_SNAPSHOT))
                    .addCapabilities(able(ControllerServiceCapability.RPC.Type.EXPAND_VOLUME))
                    .build()));

    private Reply nodeAbilities() {
        NodeGetCapabilitiesResponse.Builder all = NodeGetCapabilitiesResponse.newBuilder()
                .addCapabilities(able(NodeServiceCapability.RPC.Type.EXPAND_VOLUME));
        if (stages) {
            all.addCapabilities(able(NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME));
        }
        return Reply.of(all.build());
    }

    private static NodeServiceCapability able(NodeServiceCapability.RPC.Type type) {
        return NodeServiceCapability.newBuilder()
                .setRpc(NodeServiceCapability.RPC.newBuilder().setType(type))
                .build();
    }

    private static ControllerServiceCapability able(ControllerServiceCapability.RPC.Type type) {
        return ControllerServiceCapability.newBuilder()
                .setRpc(ControllerServiceCapability.RPC.newBuilder().setType(type))
                .build();
    }
}
