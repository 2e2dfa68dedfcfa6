// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import static dev.mooring.csi.server.ServedDriver.mount;
import static dev.mooring.csi.server.ServedDriver.writer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.v1.ControllerGrpc;
import dev.mooring.csi.v1.GetCapacityRequest;
import dev.mooring.csi.v1.NodeGrpc;
import dev.mooring.csi.v1.NodePublishVolumeRequest;
import dev.mooring.csi.v1.Topology;
import dev.mooring.csi.v1.Volume;
import dev.mooring.csi.v1.VolumeCapability;
import dev.mooring.csi.v1.VolumeCapability.AccessMode.Mode;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The plugin for hostPath as a driver on the real kernel. */
class HostPathDriverTest extends SnapshotDriverSuite {
    private static final long SIZE = 10L << 30;
    private static final String INLINE = "csi-" + "0123456789abcdef".repeat(4);

    @Override
    DriverSubject subject() {
        return new HostPathSubject();
    }

    private List<String> made() throws IOException {
        Path volumes = bench.directory.resolve("root/v");
        if (!Files.exists(volumes)) {
            return List.of();
        }
        try (Stream<Path> names = Files.list(volumes)) {
            return names.map(path -> String.valueOf(path.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void aVolumeIsADirectoryOfThisNode() throws IOException {
        Volume volume = bench.make(bench.create("pvc-1", 0, 0));
        bench.make(bench.create("pvc-2", SIZE, 0));
        assertThat(made()).containsExactly("pvc-1", "pvc-2");
        assertThat(volume.getAccessibleTopology(0).getSegmentsMap())
                .isEqualTo(Map.of("topology." + ServedDriver.NAME + "/node", ServedDriver.NODE));
        driver.call(ControllerGrpc.getDeleteVolumeMethod(), CsiRequests.delete(volume.getVolumeId()));
        assertThat(made()).containsExactly("pvc-2");
        assertThat(bench.records("records")).hasSize(1);
    }

    @Test
    void c2MeasuresTheSpaceOfThisNode() {
        GetCapacityRequest empty = GetCapacityRequest.getDefaultInstance();
        assertThat(driver.call(ControllerGrpc.getGetCapacityMethod(), empty).getAvailableCapacity())
                .isPositive();
        Topology elsewhere = Topology.newBuilder()
                .putSegments("topology." + ServedDriver.NAME + "/node", "node-b")
                .build();
        GetCapacityRequest other =
                empty.toBuilder().setAccessibleTopology(elsewhere).build();
        assertThat(driver.call(ControllerGrpc.getGetCapacityMethod(), other).getAvailableCapacity())
                .isZero();
    }

    @Test
    void c11TellsAnotherParameterOfTheSameName() {
        bench.make(bench.create("a", SIZE, SIZE));
        assertThat(driver.code(
                        ControllerGrpc.getCreateVolumeMethod(),
                        bench.create("a", SIZE, SIZE).toBuilder()
                                .putParameters("mode", "0700")
                                .build()))
                .isEqualTo(Status.Code.ALREADY_EXISTS);
    }

    @Test
    void mountFlagsAreRefusedAndNotShown() {
        VolumeCapability flags = mount(Mode.SINGLE_NODE_WRITER).toBuilder()
                .setMount(VolumeCapability.MountVolume.newBuilder().addMountFlags("password=planted"))
                .build();
        assertThat(driver.status(ControllerGrpc.getCreateVolumeMethod(), bench.create("a", SIZE, SIZE, flags)))
                .satisfies(status -> assertThat(status.code()).isEqualTo(Status.Code.INVALID_ARGUMENT))
                .satisfies(status -> assertThat(status.message()).isNotBlank().doesNotContain("planted"));
    }

    // -------------------------------------------------------------------------------- inline volumes

    private NodePublishVolumeRequest inline(Path target) {
        return NodePublishVolumeRequest.newBuilder()
                .setVolumeId(INLINE)
                .setTargetPath(target.toString())
                .setVolumeCapability(writer())
                .putVolumeContext("csi.storage.k8s.io/ephemeral", "true")
                .putVolumeContext("csi.storage.k8s.io/pod.namespace", "shop")
                .putVolumeContext("csi.storage.k8s.io/pod.name", "web")
                .putVolumeContext("mode", "0770")
                .build();
    }

    @Test
    void anInlineVolumeLivesAsLongAsItsPod() throws IOException {
        Path target = bench.target("one");
        for (int i = 0; i < 2; i++) {
            driver.call(NodeGrpc.getNodePublishVolumeMethod(), inline(target));
        }
        Files.writeString(target.resolve("file"), "kept");
        driver.restart();
        driver.call(NodeGrpc.getNodePublishVolumeMethod(), inline(target));
        assertThat(target.resolve("file")).hasContent("kept");
        assertThat(made()).hasSize(1);
        assertThat(driver.call(ControllerGrpc.getListVolumesMethod(), CsiRequests.page(0, ""))
                        .getEntriesList())
                .isEmpty();
        for (int i = 0; i < 2; i++) {
            driver.call(NodeGrpc.getNodeUnpublishVolumeMethod(), CsiRequests.unpublish(INLINE, target.toString()));
        }
        assertThat(target).doesNotExist();
        assertThat(made()).isEmpty();
        assertThat(bench.records("records")).isEmpty();
    }

    @Test
    void anInlineVolumeThatCannotBeShownIsNotKept() throws IOException {
        assertThat(driver.code(
                        NodeGrpc.getNodePublishVolumeMethod(),
                        inline(bench.target("one")).toBuilder()
                                .putVolumeContext("colour", "red")
                                .build()))
                .isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(driver.code(NodeGrpc.getNodePublishVolumeMethod(), inline(Path.of("/nowhere/at/all"))))
                .isIn(Status.Code.NOT_FOUND, Status.Code.INVALID_ARGUMENT, Status.Code.FAILED_PRECONDITION);
        assertThat(made()).isEmpty();
        assertThat(bench.records("records")).isEmpty();
    }
}
