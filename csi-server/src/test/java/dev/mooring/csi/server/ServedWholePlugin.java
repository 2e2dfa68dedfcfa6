// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import static dev.mooring.csi.server.ServedDriver.writer;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.csi.v1.CapacityRange;
import dev.mooring.csi.v1.ControllerExpandVolumeRequest;
import dev.mooring.csi.v1.ControllerGrpc;
import dev.mooring.csi.v1.ControllerPublishVolumeRequest;
import dev.mooring.csi.v1.CreateVolumeRequest;
import dev.mooring.csi.v1.DeleteVolumeRequest;
import dev.mooring.csi.v1.NodeExpandVolumeRequest;
import dev.mooring.csi.v1.NodeGetVolumeStatsRequest;
import dev.mooring.csi.v1.NodePublishVolumeRequest;
import dev.mooring.csi.v1.NodeStageVolumeRequest;
import dev.mooring.csi.v1.NodeUnpublishVolumeRequest;
import dev.mooring.csi.v1.NodeUnstageVolumeRequest;
import dev.mooring.csi.v1.Volume;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A plugin with every capability, served as a CSI driver, and the calls that a cluster makes. */
abstract class ServedWholePlugin {
    static final String ID = VolumeHandle.ofName("never").text();
    static final String SECRET = "planted-password";
    static final long SIZE = 1 << 30;

    @TempDir
    Path directory;

    final WholePlugin plugin = new WholePlugin();
    LinuxHost host;
    ServedDriver driver;
    Path staging;
    Path target;

    @BeforeEach
    void serve() throws IOException {
        Optional<LinuxHost> machine = LinuxHost.ofThisMachine(LinuxHostLayout.below(directory.resolve("kubelet")));
        assumeTrue(machine.isPresent(), "needs Linux on x86_64 or aarch64");
        host = machine.get();
        driver = new ServedDriver(plugin, host, directory);
        staging = Files.createDirectory(directory.resolve("staging"));
        target = directory.resolve("target");
    }

    @AfterEach
    void end() {
        if (driver != null) {
            driver.close();
        }
    }

    // --------------------------------------------------------------------------------------- requests

    Volume make(String name) {
        return driver.call(ControllerGrpc.getCreateVolumeMethod(), create(name)).getVolume();
    }

    static CreateVolumeRequest create(String name) {
        return CreateVolumeRequest.newBuilder()
                .setName(name)
                .addVolumeCapabilities(writer())
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(SIZE))
                .build();
    }

    static ControllerPublishVolumeRequest attach(Volume volume, String node) {
        return ControllerPublishVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .setNodeId(node)
                .setVolumeCapability(writer())
                .build();
    }

    NodeStageVolumeRequest stage(Volume volume) {
        return NodeStageVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .setStagingTargetPath(staging.toString())
                .setVolumeCapability(writer())
                .putPublishContext("device", "/dev/node-a")
                .putAllVolumeContext(volume.getVolumeContextMap())
                .build();
    }

    NodePublishVolumeRequest publish(Volume volume) {
        return NodePublishVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .setStagingTargetPath(staging.toString())
                .setTargetPath(target.toString())
                .setVolumeCapability(writer())
                .putVolumeContext("csi.storage.k8s.io/pod.namespace", "shop")
                .putVolumeContext("csi.storage.k8s.io/pod.name", "web")
                .build();
    }

    NodeUnstageVolumeRequest unstage(Volume volume) {
        return NodeUnstageVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .setStagingTargetPath(staging.toString())
                .build();
    }

    NodeUnpublishVolumeRequest unpublish(Volume volume) {
        return NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .setTargetPath(target.toString())
                .build();
    }

    static DeleteVolumeRequest delete(Volume volume) {
        return DeleteVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .build();
    }

    static ControllerExpandVolumeRequest expand(String id, long bytes) {
        return ControllerExpandVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(bytes))
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
