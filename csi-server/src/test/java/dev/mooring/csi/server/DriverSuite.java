// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import static dev.mooring.csi.server.ServedDriver.mount;
import static dev.mooring.csi.server.ServedDriver.writer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.csi.v1.ControllerGrpc;
import dev.mooring.csi.v1.ControllerServiceCapability;
import dev.mooring.csi.v1.ControllerUnpublishVolumeRequest;
import dev.mooring.csi.v1.GetPluginCapabilitiesRequest;
import dev.mooring.csi.v1.GetPluginInfoRequest;
import dev.mooring.csi.v1.IdentityGrpc;
import dev.mooring.csi.v1.ListVolumesRequest;
import dev.mooring.csi.v1.ListVolumesResponse;
import dev.mooring.csi.v1.NodeExpandVolumeRequest;
import dev.mooring.csi.v1.NodeGetInfoRequest;
import dev.mooring.csi.v1.NodeGrpc;
import dev.mooring.csi.v1.NodePublishVolumeRequest;
import dev.mooring.csi.v1.NodeServiceCapability;
import dev.mooring.csi.v1.NodeStageVolumeRequest;
import dev.mooring.csi.v1.PluginCapability;
import dev.mooring.csi.v1.ProbeRequest;
import dev.mooring.csi.v1.Topology;
import dev.mooring.csi.v1.TopologyRequirement;
import dev.mooring.csi.v1.Volume;
import dev.mooring.csi.v1.VolumeCapability;
import dev.mooring.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.mooring.csi.v1.VolumeUsage;
import dev.mooring.storage.model.VolumeSource;
import io.grpc.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What csi-sanity asks of a driver (semantics/csi §17), over a plugin with its back-end on a real kernel; each test names its rows. What
 * the driver declares is asked for, and what it does not declare has to be refused as not implemented.
 */
abstract class DriverSuite {
    private static final long SIZE = 64L << 20;
    private static final String FAKE = "fake-vol-id";

    DriverBench bench;
    ServedDriver driver;

    abstract DriverSubject subject();

    /** Whether controller and node are two processes. */
    boolean split() {
        return false;
    }

    @BeforeEach
    void serve() throws IOException {
        bench = new DriverBench(subject(), split());
        driver = bench.driver;
    }

    @AfterEach
    void end() throws IOException {
        if (bench != null) {
            bench.close();
        }
    }

    private boolean can(ControllerServiceCapability.RPC.Type type) {
        return bench.controller.contains(type);
    }

    private boolean can(NodeServiceCapability.RPC.Type type) {
        return bench.node.contains(type);
    }

    // ---------------------------------------------------------------------------------- rows with a code

    @TestFactory
    Stream<DynamicTest> refusesWithTheCode() {
        return RefusedRows.of(bench);
    }

    @TestFactory
    Stream<DynamicTest> doesWhatIsDoneAlready() {
        return AcceptedRows.of(bench);
    }

    // ------------------------------------------------------------------------------------------ identity

    @Test
    void i1ToI3TellWhoTheDriverIs() {
        var info = driver.call(IdentityGrpc.getGetPluginInfoMethod(), GetPluginInfoRequest.getDefaultInstance());
        assertThat(info.getName()).isEqualTo(ServedDriver.NAME).matches("^[a-zA-Z][A-Za-z0-9-._]{0,61}[a-zA-Z]$");
        assertThat(info.getVendorVersion()).isEqualTo("0.1");
        assertThat(driver.call(
                                IdentityGrpc.getGetPluginCapabilitiesMethod(),
                                GetPluginCapabilitiesRequest.getDefaultInstance())
                        .getCapabilitiesList())
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each.getTypeCase()).isNotEqualTo(PluginCapability.TypeCase.TYPE_NOT_SET))
                .allSatisfy(each -> assertThat(each.getService().getType())
                        .isNotEqualTo(PluginCapability.Service.Type.UNRECOGNIZED));
        assertThat(driver.call(IdentityGrpc.getProbeMethod(), ProbeRequest.getDefaultInstance())
                        .getReady()
                        .getValue())
                .isTrue();
    }

    @Test
    void c1AndN1TellWhatThePluginCan() {
        assertThat(bench.controller)
                .isNotEmpty()
                .doesNotContain(
                        ControllerServiceCapability.RPC.Type.UNKNOWN,
                        ControllerServiceCapability.RPC.Type.UNRECOGNIZED);
        assertThat(bench.node).doesNotContain(NodeServiceCapability.RPC.Type.UNRECOGNIZED);
    }

    @Test
    void n2TellsTheNode() {
        var info = driver.call(NodeGrpc.getNodeGetInfoMethod(), NodeGetInfoRequest.getDefaultInstance());
        assertThat(info.getNodeId()).isEqualTo(bench.attaches() ? ServedDriver.NODE_ID : ServedDriver.NODE);
        assertThat(info.getMaxVolumesPerNode()).isZero();
        boolean bound = driver
                .call(IdentityGrpc.getGetPluginCapabilitiesMethod(), GetPluginCapabilitiesRequest.getDefaultInstance())
                .getCapabilitiesList()
                .stream()
                .anyMatch(each ->
                        each.getService().getType() == PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS);
        assertThat(info.getAccessibleTopology().getSegmentsMap()).hasSize(bound ? 1 : 0);
    }

    // ---------------------------------------------------------------------------- volumes that are made

    @Test
    void c3AndC5ListEachVolumeAtOnceAndInPages() {
        if (!bench.makes()) {
            assertThat(driver.code(ControllerGrpc.getListVolumesMethod(), ListVolumesRequest.getDefaultInstance()))
                    .isEqualTo(Status.Code.UNIMPLEMENTED);
            return;
        }
        assertThat(listed()).isEmpty();
        List<String> made = Stream.of(1, 2, 3)
                .map(number -> bench.volume(number).getVolumeId())
                .toList();
        assertThat(listed()).containsExactlyInAnyOrderElementsOf(made);
        ListVolumesResponse first = driver.call(ControllerGrpc.getListVolumesMethod(), CsiRequests.page(2, ""));
        assertThat(first.getEntriesCount()).isEqualTo(2);
        String gone = first.getEntries(0).getVolume().getVolumeId();
        driver.call(ControllerGrpc.getDeleteVolumeMethod(), CsiRequests.delete(gone));
        ListVolumesResponse second =
                driver.call(ControllerGrpc.getListVolumesMethod(), CsiRequests.page(2, first.getNextToken()));
        assertThat(second.getEntriesList())
                .extracting(entry -> entry.getVolume().getVolumeId())
                .hasSize(1)
                .doesNotContain(gone, first.getEntries(1).getVolume().getVolumeId());
        assertThat(second.getNextToken()).isEmpty();
        assertThat(listed()).hasSize(2);
    }

    private List<String> listed() {
        return driver
                .call(ControllerGrpc.getListVolumesMethod(), ListVolumesRequest.getDefaultInstance())
                .getEntriesList()
                .stream()
                .map(entry -> entry.getVolume().getVolumeId())
                .toList();
    }

    @Test
    void c8ToC12MakeOneVolumeForAName() {
        if (!bench.makes()) {
            return;
        }
        Volume first = bench.make(bench.create("pvc-1", 0, 0));
        assertThat(first.getVolumeId().getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(128);
        for (int i = 0; i < 3; i++) {
            assertThat(bench.make(bench.create("pvc-1", 0, 0))).isEqualTo(first);
        }
        assertThat(bench.make(bench.create("pvc-2", SIZE, 0)).getCapacityBytes())
                .isGreaterThanOrEqualTo(SIZE);
        bench.make(bench.create("pvc-3", SIZE, SIZE));
        assertThat(driver.code(ControllerGrpc.getCreateVolumeMethod(), bench.create("pvc-3", 2 * SIZE, 2 * SIZE)))
                .isEqualTo(Status.Code.ALREADY_EXISTS);
        assertThat(driver.code(
                        ControllerGrpc.getCreateVolumeMethod(),
                        bench.create("pvc-3", SIZE, SIZE, mount(Mode.MULTI_NODE_READER_ONLY))))
                .isEqualTo(Status.Code.ALREADY_EXISTS);
        String longest = "n".repeat(128);
        assertThat(bench.make(bench.create(longest, SIZE, SIZE)).getVolumeId())
                .isNotEqualTo(bench.make(bench.create("größe / 大", SIZE, SIZE)).getVolumeId());
    }

    @Test
    void c20AndC21DeleteWhatIsThereAndWhatIsNot() {
        if (!bench.makes()) {
            return;
        }
        for (String id : List.of(FAKE, VolumeHandle.ofName("never made").text())) {
            driver.call(ControllerGrpc.getDeleteVolumeMethod(), CsiRequests.delete(id));
        }
        Volume volume = bench.volume(1);
        for (int i = 0; i < 3; i++) {
            driver.call(ControllerGrpc.getDeleteVolumeMethod(), CsiRequests.delete(volume.getVolumeId()));
        }
    }

    @Test
    void c24ConfirmsWhatTheVolumeIsFor() {
        Volume volume = bench.volume(1);
        var yes = driver.call(
                ControllerGrpc.getValidateVolumeCapabilitiesMethod(), CsiRequests.validate(volume, writer()));
        assertThat(yes.getConfirmed().getVolumeCapabilitiesList()).containsExactly(writer());
        if (bench.makes()) {
            var no = driver.call(
                    ControllerGrpc.getValidateVolumeCapabilitiesMethod(),
                    CsiRequests.validate(volume, writer(), mount(Mode.MULTI_NODE_MULTI_WRITER)));
            assertThat(no.hasConfirmed()).isFalse();
            assertThat(no.getMessage()).contains("MULTI_NODE_MULTI_WRITER");
        }
    }

    @Test
    void c17bMakesNothingForAnotherPlace() {
        var request = bench.create("pvc-1", SIZE, SIZE).toBuilder()
                .setAccessibilityRequirements(TopologyRequirement.newBuilder()
                        .addRequisite(Topology.newBuilder().putSegments("zone", "b")))
                .build();
        if (bench.makes() && can(ControllerServiceCapability.RPC.Type.GET_CAPACITY)) {
            assertThat(driver.code(ControllerGrpc.getCreateVolumeMethod(), request))
                    .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        }
    }

    @Test
    void e3LetsAVolumeGrow() {
        if (!can(ControllerServiceCapability.RPC.Type.EXPAND_VOLUME) || !bench.makes()) {
            return;
        }
        Volume volume = bench.make(bench.create("pvc-1", SIZE, 0));
        for (int i = 0; i < 2; i++) {
            assertThat(driver.call(
                                    ControllerGrpc.getControllerExpandVolumeMethod(),
                                    CsiRequests.expand(volume.getVolumeId(), 2 * SIZE))
                            .getCapacityBytes())
                    .isEqualTo(2 * SIZE);
        }
    }

    // --------------------------------------------------------------------------------------- attachments

    @Test
    void c31ToC35AttachToOneNodeAtATime() {
        Volume volume = bench.volume(1);
        var method = ControllerGrpc.getControllerPublishVolumeMethod();
        var request = CsiRequests.attach(volume, ServedDriver.NODE_ID, writer());
        if (!bench.attaches()) {
            assertThat(driver.code(method, request)).isEqualTo(Status.Code.UNIMPLEMENTED);
            return;
        }
        assertThat(driver.code(
                        method, request.toBuilder().setNodeId("fake-node-id-7").build()))
                .as("C31")
                .isEqualTo(Status.Code.NOT_FOUND);
        for (int i = 0; i < 3; i++) {
            bench.attach(volume, writer());
        }
        assertThat(driver.code(method, request.toBuilder().setReadonly(true).build()))
                .as("C32")
                .isEqualTo(Status.Code.ALREADY_EXISTS);
        assertThat(driver.status(
                        method, request.toBuilder().setNodeId("m1/node-b").build()))
                .satisfies(status -> assertThat(status.code()).isEqualTo(Status.Code.FAILED_PRECONDITION))
                .satisfies(status -> assertThat(status.message()).contains(ServedDriver.NODE_ID));
        driver.call(
                ControllerGrpc.getControllerUnpublishVolumeMethod(),
                ControllerUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .build());
        driver.call(method, request.toBuilder().setNodeId("m1/node-b").build());
        driver.call(
                ControllerGrpc.getControllerUnpublishVolumeMethod(),
                CsiRequests.detach(volume.getVolumeId(), "m1/node-b"));
    }

    // --------------------------------------------------------------------------------------- on the node

    @Test
    void n6GivesAVolumeOfOneWriterToOneTarget() throws IOException {
        VolumeCapability alone = mount(Mode.SINGLE_NODE_SINGLE_WRITER);
        Volume volume = bench.volume(1, alone);
        bench.use(volume, bench.target("one"), alone);
        NodePublishVolumeRequest other = bench.publishRequest(volume, bench.target("two"), alone);
        assertThat(driver.code(NodeGrpc.getNodePublishVolumeMethod(), other))
                .isEqualTo(Status.Code.FAILED_PRECONDITION);
        assertThat(bench.target("two")).doesNotExist();
    }

    /** Kubernetes publishes a volume of mode 1 for several pods of a node. */
    @Test
    void severalTargetsShareAVolumeOfOneNode() throws IOException {
        Volume volume = bench.volume(1);
        for (String each : List.of("one", "two")) {
            bench.use(volume, bench.target(each), writer());
        }
        Files.writeString(bench.target("one").resolve("file"), "shared");
        assertThat(bench.target("two").resolve("file")).hasContent("shared");
        bench.unpublish(volume, bench.target("one"));
        assertThat(bench.target("two").resolve("file")).hasContent("shared");
    }

    @Test
    void aTargetIsOfOneKindAndAReadOnlyOneCannotBeWritten() throws IOException {
        Volume volume = bench.volume(1);
        Path target = bench.target("one");
        bench.use(volume, target, writer());
        NodePublishVolumeRequest request = bench.publishRequest(volume, target, writer());
        NodePublishVolumeRequest readOnly =
                request.toBuilder().setReadonly(true).build();
        assertThat(driver.code(NodeGrpc.getNodePublishVolumeMethod(), readOnly)).isEqualTo(Status.Code.ALREADY_EXISTS);
        // Secrets and the pod's data are no part of the comparison.
        driver.call(
                NodeGrpc.getNodePublishVolumeMethod(),
                request.toBuilder()
                        .putSecrets("token", "new")
                        .putVolumeContext("csi.storage.k8s.io/pod.name", "web")
                        .build());
        bench.unpublish(volume, target);
        driver.call(NodeGrpc.getNodePublishVolumeMethod(), readOnly);
        assertThatThrownBy(() -> Files.writeString(target.resolve("file"), "x"))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("Read-only");
    }

    @Test
    void n9RemovesTheTargetThatIsThereBeforeOrNot() throws IOException {
        Volume volume = bench.volume(1);
        Path target = bench.target("one");
        for (boolean madeBefore : List.of(false, true)) {
            if (madeBefore) {
                Files.createDirectory(target);
            }
            bench.use(volume, target, writer());
            assertThat(target).isDirectory();
            bench.unpublish(volume, target);
            assertThat(target).doesNotExist();
            bench.unpublish(volume, target);
        }
        Files.createDirectory(target);
        driver.call(NodeGrpc.getNodeUnpublishVolumeMethod(), CsiRequests.unpublish(FAKE, target.toString()));
        assertThat(target).doesNotExist();
    }

    @Test
    void whatLiesAtAPathIsNeverHiddenNorMoved() throws IOException {
        Volume volume = bench.volume(1);
        Path other = Files.createDirectory(bench.target("other"));
        Files.writeString(other.resolve("precious"), "of others");
        bench.use(volume, bench.target("one"), writer());
        NodePublishVolumeRequest request = bench.publishRequest(volume, other, writer());
        assertThat(driver.code(NodeGrpc.getNodePublishVolumeMethod(), request))
                .isEqualTo(Status.Code.FAILED_PRECONDITION);
        assertThat(driver.code(
                        NodeGrpc.getNodeUnpublishVolumeMethod(),
                        CsiRequests.unpublish(volume.getVolumeId(), other.toString())))
                .isEqualTo(Status.Code.FAILED_PRECONDITION);
        assertThat(other.resolve("precious")).hasContent("of others");
        Files.delete(other.resolve("precious"));
        bench.use(volume, other, writer());
        assertThat(DriverBench.mounts(other)).isEqualTo(1);
    }

    @Test
    void whatIsStagedStaysWhatItIs() throws IOException {
        Volume volume = bench.volume(1);
        NodePublishVolumeRequest early = bench.publishRequest(volume, bench.target("one"), writer());
        if (!bench.stages()) {
            return;
        }
        assertThat(driver.code(NodeGrpc.getNodePublishVolumeMethod(), early))
                .isEqualTo(Status.Code.FAILED_PRECONDITION);
        assertThat(driver.code(
                        NodeGrpc.getNodePublishVolumeMethod(),
                        early.toBuilder().clearStagingTargetPath().build()))
                .isEqualTo(Status.Code.FAILED_PRECONDITION);
        NodeStageVolumeRequest stage = bench.stageRequest(volume, writer());
        driver.call(NodeGrpc.getNodeStageVolumeMethod(), stage);
        assertThat(driver.code(
                        NodeGrpc.getNodeStageVolumeMethod(),
                        stage.toBuilder()
                                .setVolumeCapability(mount(Mode.MULTI_NODE_READER_ONLY))
                                .build()))
                .isEqualTo(Status.Code.ALREADY_EXISTS);
    }

    @Test
    void n17AndN18MeasureAVolumeWhereItIs() throws IOException {
        var method = NodeGrpc.getNodeGetVolumeStatsMethod();
        Volume volume = bench.volume(1);
        Path target = bench.target("one");
        bench.use(volume, target, writer());
        if (!can(NodeServiceCapability.RPC.Type.GET_VOLUME_STATS)) {
            assertThat(driver.code(method, CsiRequests.measure(volume.getVolumeId(), target.toString())))
                    .isEqualTo(Status.Code.UNIMPLEMENTED);
            return;
        }
        assertThat(driver.code(method, CsiRequests.measure(volume.getVolumeId(), "some/path")))
                .isEqualTo(Status.Code.NOT_FOUND);
        assertThat(driver.call(method, CsiRequests.measure(volume.getVolumeId(), target.toString()))
                        .getUsageList())
                .isNotEmpty()
                .first()
                .satisfies(usage -> assertThat(usage.getUnit()).isEqualTo(VolumeUsage.Unit.BYTES))
                .satisfies(usage -> assertThat(usage.getTotal()).isPositive());
    }

    @Test
    void n20ToN22GrowAVolumeThatIsPublished() throws IOException {
        var method = NodeGrpc.getNodeExpandVolumeMethod();
        Volume volume = bench.volume(1);
        Path target = bench.target("one");
        bench.use(volume, target, writer());
        NodeExpandVolumeRequest request = CsiRequests.grow(volume.getVolumeId(), target.toString());
        if (!can(NodeServiceCapability.RPC.Type.EXPAND_VOLUME)) {
            assertThat(driver.code(method, request)).isEqualTo(Status.Code.UNIMPLEMENTED);
            return;
        }
        assertThat(driver.code(method, request.toBuilder().clearVolumePath().build()))
                .isEqualTo(Status.Code.INVALID_ARGUMENT);
        driver.call(method, request);
    }

    @Test
    void deletesNothingThatIsUsedHere() throws IOException {
        if (!bench.makes() || (split() && !bench.attaches())) {
            return;
        }
        Volume volume = bench.volume(1);
        bench.use(volume, bench.target("one"), writer());
        assertThat(driver.code(ControllerGrpc.getDeleteVolumeMethod(), CsiRequests.delete(volume.getVolumeId())))
                .isEqualTo(Status.Code.FAILED_PRECONDITION);
    }

    @Test
    void n23AndN24LiveAWholeLifeEachStepRepeatedAndTheDriverRestarted() throws Exception {
        Volume volume = bench.volume(1);
        Path target = bench.target("one");
        for (int i = 0; i < 5; i++) {
            bench.use(volume, target, writer());
        }
        Files.writeString(target.resolve("file"), "kept");
        driver.restart();
        bench.use(volume, target, writer());
        assertThat(target.resolve("file")).hasContent("kept");
        assertThat(DriverBench.mounts(target)).isEqualTo(1);
        driver.restart();
        for (int i = 0; i < 5; i++) {
            bench.unpublish(volume, target);
        }
        assertThat(target).doesNotExist();
        bench.use(volume, target, writer());
        assertThat(target.resolve("file")).hasContent("kept");
        for (int i = 0; i < 5; i++) {
            bench.leave(volume);
        }
    }

    @Test
    void aRawBlockDeviceIsAFileAtTheTarget() throws Exception {
        VolumeCapability block = writer().toBuilder()
                .setBlock(VolumeCapability.BlockVolume.getDefaultInstance())
                .build();
        Optional<VolumeSource> device = subject().existingDevice(bench.directory, 1);
        if (device.isEmpty()) {
            Volume volume = bench.volume(1);
            assertThat(driver.code(
                            NodeGrpc.getNodePublishVolumeMethod(),
                            bench.publishRequest(volume, bench.target("one"), block)))
                    .isIn(Status.Code.INVALID_ARGUMENT, Status.Code.FAILED_PRECONDITION);
            return;
        }
        Volume volume = bench.existing(1, device.get());
        Path target = bench.target("one");
        bench.use(volume, target, block);
        bench.use(volume, target, block);
        driver.restart();
        assertThat(Map.of(
                        "file",
                        Files.isDirectory(target),
                        "regular",
                        Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)))
                .isEqualTo(Map.of("file", false, "regular", false));
        try (FileChannel file = FileChannel.open(target, StandardOpenOption.WRITE)) {
            assertThat(file.write(ByteBuffer.allocate(4096))).isEqualTo(4096);
        }
        bench.unpublish(volume, target);
        bench.unpublish(volume, target);
        assertThat(target).doesNotExist();
    }
}
