// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import com.google.protobuf.Message;
import dev.mooring.csi.v1.ControllerExpandVolumeRequest;
import dev.mooring.csi.v1.ControllerExpandVolumeResponse;
import dev.mooring.csi.v1.CreateSnapshotRequest;
import dev.mooring.csi.v1.CreateSnapshotResponse;
import dev.mooring.csi.v1.CreateVolumeRequest;
import dev.mooring.csi.v1.DeleteSnapshotRequest;
import dev.mooring.csi.v1.DeleteSnapshotResponse;
import dev.mooring.csi.v1.NodeExpandVolumeRequest;
import dev.mooring.csi.v1.NodeExpandVolumeResponse;
import dev.mooring.csi.v1.Snapshot;
import dev.mooring.csi.v1.VolumeCapability;
import dev.mooring.plugin.csi.DirectChannel.Reply;
import io.grpc.Status;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** How large the volumes of a {@link SimulatedDriver} are, which are devices, and which snapshots it has. Confined to the world's thread. */
final class SimulatedStorage {
    /** How often a snapshot is asked for until it is ready. */
    private static final int TRIES = 2;

    /** By the name that CreateSnapshot gave. */
    final Map<String, Snapshot> snapshots = new TreeMap<>();

    /** The snapshot from which a volume was made, by the volume. */
    final Map<String, String> restored = new HashMap<>();

    private final SimulatedDriver driver;
    private final Map<String, Long> sizes = new HashMap<>();
    /** How much of a volume its file system has. */
    private final Map<String, Long> fileSystems = new HashMap<>();

    private final Map<String, Integer> asked = new HashMap<>();
    private final Set<String> devices = new HashSet<>();
    private int made;

    SimulatedStorage(SimulatedDriver driver) {
        this.driver = driver;
    }

    /** Whether a volume is a raw device. */
    boolean isDevice(String volume) {
        return devices.contains(volume);
    }

    /** How large a volume is; 0 if there never was one. */
    long sizeOf(String volume) {
        return sizes.getOrDefault(volume, 0L);
    }

    /** How much of a volume a pod can use. */
    long usableOf(String volume) {
        return isDevice(volume) ? sizeOf(volume) : fileSystems.getOrDefault(volume, 0L);
    }

    void requireMode(String volume, VolumeCapability capability) {
        driver.require(
                capability.hasBlock() == isDevice(volume),
                "a volume is shown in another mode than it was made for",
                volume);
    }

    /** Why a volume cannot be made with the content that it shall have. */
    Optional<Reply> sourceOf(CreateVolumeRequest create) {
        if (!create.hasVolumeContentSource() || driver.volumes.containsKey(create.getName())) {
            return Optional.empty();
        }
        String id = create.getVolumeContentSource().getSnapshot().getSnapshotId();
        Optional<Snapshot> source = snapshots.values().stream()
                .filter(snapshot -> snapshot.getSnapshotId().equals(id))
                .findFirst();
        if (source.isEmpty()) {
            return Optional.of(SimulatedDriver.refused(Status.Code.NOT_FOUND, "there is no snapshot " + id));
        }
        driver.require(source.get().getReadyToUse(), "a volume is made from a snapshot that is not ready", id);
        return create.getCapacityRange().getRequiredBytes() < source.get().getSizeBytes()
                ? Optional.of(SimulatedDriver.refused(Status.Code.OUT_OF_RANGE, id + " is larger"))
                : Optional.empty();
    }

    /** A volume has been made. */
    void made(String volume, CreateVolumeRequest create) {
        if (create.getVolumeCapabilities(0).hasBlock()) {
            devices.add(volume);
        }
        sizes.put(volume, create.getCapacityRange().getRequiredBytes());
        fileSystems.put(volume, create.getCapacityRange().getRequiredBytes());
        if (create.hasVolumeContentSource()) {
            restored.put(volume, create.getVolumeContentSource().getSnapshot().getSnapshotId());
        }
    }

    /** Whether the effect of a call is there already. */
    boolean hasDone(Message request) {
        if (request instanceof CreateSnapshotRequest create) {
            return snapshots.containsKey(create.getName());
        } else if (request instanceof ControllerExpandVolumeRequest expand) {
            return sizeOf(expand.getVolumeId()) >= expand.getCapacityRange().getRequiredBytes();
        }
        return request instanceof NodeExpandVolumeRequest expand
                && usableOf(expand.getVolumeId()) >= expand.getCapacityRange().getRequiredBytes();
    }

    /** Does what a call asks for; empty if it asks for something else. */
    Optional<Reply> answer(String node, Message request) {
        if (request instanceof CreateSnapshotRequest create) {
            return Optional.of(create(create));
        } else if (request instanceof DeleteSnapshotRequest delete) {
            snapshots.values().removeIf(snapshot -> snapshot.getSnapshotId().equals(delete.getSnapshotId()));
            return Optional.of(Reply.of(DeleteSnapshotResponse.getDefaultInstance()));
        } else if (request instanceof ControllerExpandVolumeRequest expand) {
            return Optional.of(expand(expand));
        }
        return request instanceof NodeExpandVolumeRequest expand
                ? Optional.of(expandOnNode(node, expand))
                : Optional.empty();
    }

    private Reply create(CreateSnapshotRequest create) {
        if (!snapshots.containsKey(create.getName()) && !driver.exists(create.getSourceVolumeId())) {
            return SimulatedDriver.refused(Status.Code.NOT_FOUND, "there is no volume " + create.getSourceVolumeId());
        }
        boolean ready = asked.merge(create.getName(), 1, Integer::sum) >= TRIES;
        Snapshot snapshot = snapshots.computeIfAbsent(
                create.getName(),
                fresh -> Snapshot.newBuilder()
                        .setSnapshotId("snap-" + ++made)
                        .setSourceVolumeId(create.getSourceVolumeId())
                        .setSizeBytes(sizeOf(create.getSourceVolumeId()))
                        .build());
        driver.require(
                snapshot.getSourceVolumeId().equals(create.getSourceVolumeId()),
                "a snapshot is asked for again of another volume",
                create.getName());
        Snapshot shown = snapshot.toBuilder().setReadyToUse(ready).build();
        snapshots.put(create.getName(), shown);
        return Reply.of(CreateSnapshotResponse.newBuilder().setSnapshot(shown).build());
    }

    private Reply expand(ControllerExpandVolumeRequest expand) {
        String volume = expand.getVolumeId();
        if (!driver.exists(volume)) {
            return SimulatedDriver.refused(Status.Code.NOT_FOUND, "there is no volume " + volume);
        }
        long wanted = expand.getCapacityRange().getRequiredBytes();
        driver.require(wanted >= sizeOf(volume), "a volume is asked to shrink", volume);
        sizes.merge(volume, wanted, Math::max);
        return Reply.of(ControllerExpandVolumeResponse.newBuilder()
                .setCapacityBytes(sizeOf(volume))
                .setNodeExpansionRequired(!isDevice(volume))
                .build());
    }

    private Reply expandOnNode(String node, NodeExpandVolumeRequest expand) {
        String volume = expand.getVolumeId();
        if (!driver.isAt(node, volume, expand.getVolumePath())) {
            driver.require(
                    false, "a volume grows where it is not", volume + "@" + node + " at " + expand.getVolumePath());
            return SimulatedDriver.refused(Status.Code.NOT_FOUND, volume + " is not at " + expand.getVolumePath());
        }
        fileSystems.put(volume, sizeOf(volume));
        return Reply.of(NodeExpandVolumeResponse.newBuilder()
                .setCapacityBytes(sizeOf(volume))
                .build());
    }
}
