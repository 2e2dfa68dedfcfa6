// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import static dev.mooring.csi.server.ServedDriver.mount;
import static dev.mooring.csi.server.ServedDriver.writer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.Message;
import dev.mooring.csi.v1.CapacityRange;
import dev.mooring.csi.v1.ControllerExpandVolumeRequest;
import dev.mooring.csi.v1.ControllerGetCapabilitiesRequest;
import dev.mooring.csi.v1.ControllerGrpc;
import dev.mooring.csi.v1.ControllerModifyVolumeRequest;
import dev.mooring.csi.v1.ControllerPublishVolumeRequest;
import dev.mooring.csi.v1.ControllerServiceCapability.RPC;
import dev.mooring.csi.v1.ControllerUnpublishVolumeRequest;
import dev.mooring.csi.v1.CreateSnapshotRequest;
import dev.mooring.csi.v1.CreateVolumeRequest;
import dev.mooring.csi.v1.DeleteVolumeRequest;
import dev.mooring.csi.v1.GetCapacityRequest;
import dev.mooring.csi.v1.GetPluginCapabilitiesRequest;
import dev.mooring.csi.v1.GetPluginInfoRequest;
import dev.mooring.csi.v1.GroupControllerGetCapabilitiesRequest;
import dev.mooring.csi.v1.GroupControllerGrpc;
import dev.mooring.csi.v1.IdentityGrpc;
import dev.mooring.csi.v1.ListSnapshotsRequest;
import dev.mooring.csi.v1.ListVolumesRequest;
import dev.mooring.csi.v1.ListVolumesResponse;
import dev.mooring.csi.v1.NodeExpandVolumeRequest;
import dev.mooring.csi.v1.NodeGetCapabilitiesRequest;
import dev.mooring.csi.v1.NodeGetInfoRequest;
import dev.mooring.csi.v1.NodeGetVolumeStatsRequest;
import dev.mooring.csi.v1.NodeGrpc;
import dev.mooring.csi.v1.NodePublishVolumeRequest;
import dev.mooring.csi.v1.NodeServiceCapability;
import dev.mooring.csi.v1.NodeStageVolumeRequest;
import dev.mooring.csi.v1.NodeUnpublishVolumeRequest;
import dev.mooring.csi.v1.NodeUnstageVolumeRequest;
import dev.mooring.csi.v1.PluginCapability;
import dev.mooring.csi.v1.ProbeRequest;
import dev.mooring.csi.v1.Topology;
import dev.mooring.csi.v1.TopologyRequirement;
import dev.mooring.csi.v1.ValidateVolumeCapabilitiesRequest;
import dev.mooring.csi.v1.Volume;
import dev.mooring.csi.v1.VolumeCapability;
import dev.mooring.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.mooring.csi.v1.VolumeContentSource;
import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.HostFeature;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The plugin for hostPath as a driver on the real kernel. Each row has the number of semantics/csi §17, which lists what csi-sanity asks.
 * The rows of snapshots, groups, attaching, staging, expansion and modification are those that this plugin does not promise.
 */
class HostPathDriverTest {
    private static final long SIZE = 10L << 30;

    private Path directory;
    private ServedDriver driver;
    private final List<Path> targets = new ArrayList<>();

    @BeforeEach
    void serve() throws IOException {
        Optional<LinuxHost> machine = LinuxHost.ofThisMachine(LinuxHostLayout.below(Path.of("/nowhere")));
        assumeTrue(machine.isPresent(), "needs Linux on x86_64 or aarch64");
        for (HostFeature feature : List.of(HostFeature.ROOT, HostFeature.ATOMIC_BIND, HostFeature.RESOLVE_RULES)) {
            assumeTrue(machine.get().capabilities().has(feature), () -> "needs " + feature);
        }
        directory = Files.createTempDirectory("mooring-csi").toRealPath();
        Files.createDirectory(directory.resolve("root"));
        Path places = directory.resolve("places");
        LinuxHost host = LinuxHost.ofThisMachine(new LinuxHostLayout(
                        directory.resolve("state"), directory.resolve("orphans"), KeptPlaces.in(places)))
                .orElseThrow();
        // The module itself is handed its plugin, and looks for none.
        HostPathDriverTest.class.getModule().addUses(StoragePlugin.class);
        StoragePlugin plugin = ServiceLoader.load(StoragePlugin.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.describe().name().value().equals("kubernetes.io/host-path"))
                .findFirst()
                .orElseThrow();
        StoragePlugin configured = plugin.configured(
                        Map.of("root", directory.resolve("root").toString()))
                .result()
                .orElseThrow();
        driver = new ServedDriver(configured, host, directory);
    }

    @AfterEach
    void end() throws Exception {
        if (driver == null) {
            return;
        }
        for (Volume each : list().getEntriesList().stream()
                .map(ListVolumesResponse.Entry::getVolume)
                .toList()) {
            targets.forEach(target -> unpublish(each, target));
            driver.call(ControllerGrpc.getDeleteVolumeMethod(), delete(each.getVolumeId()));
        }
        driver.close();
        try (Stream<Path> left = Files.walk(directory)) {
            for (Path each : left.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }

    // ---------------------------------------------------------------------------------- rows with a code

    /** A request that is refused, with the code that csi-sanity wants. */
    private static <Q extends Message, A extends Message> Arguments row(
            String number, MethodDescriptor<Q, A> method, Q request, Status.Code code) {
        return Arguments.of(number + " " + method.getBareMethodName(), method, request, code);
    }

    static Stream<Arguments> refused() {
        CreateVolumeRequest whole = create("a", SIZE, SIZE);
        NodePublishVolumeRequest publish = NodePublishVolumeRequest.newBuilder()
                .setVolumeId("fake-vol-id")
                .setTargetPath("/nowhere/target")
                .setVolumeCapability(writer())
                .build();
        return Stream.of(
                row("C4", ControllerGrpc.getListVolumesMethod(), page(0, "invalid-token"), Status.Code.ABORTED),
                row("C4a", ControllerGrpc.getListVolumesMethod(), page(-1, ""), Status.Code.INVALID_ARGUMENT),
                row(
                        "C6",
                        ControllerGrpc.getCreateVolumeMethod(),
                        CreateVolumeRequest.getDefaultInstance(),
                        Status.Code.INVALID_ARGUMENT),
                row(
                        "C7",
                        ControllerGrpc.getCreateVolumeMethod(),
                        whole.toBuilder().clearVolumeCapabilities().build(),
                        Status.Code.INVALID_ARGUMENT),
                row(
                        "C7a",
                        ControllerGrpc.getCreateVolumeMethod(),
                        whole.toBuilder()
                                .setVolumeCapabilities(0, VolumeCapability.getDefaultInstance())
                                .build(),
                        Status.Code.INVALID_ARGUMENT),
                row(
                        "C7b raw block",
                        ControllerGrpc.getCreateVolumeMethod(),
                        whole.toBuilder()
                                .setVolumeCapabilities(
                                        0,
                                        writer().toBuilder()
                                                .setBlock(VolumeCapability.BlockVolume.getDefaultInstance()))
                                .build(),
                        Status.Code.INVALID_ARGUMENT),
                row(
                        "C7c mount flags",
                        ControllerGrpc.getCreateVolumeMethod(),
                        whole.toBuilder()
                                .setVolumeCapabilities(
                                        0,
                                        writer().toBuilder()
                                                .setMount(VolumeCapability.MountVolume.newBuilder()
                                                        .addMountFlags("password=planted")))
                                .build(),
                        Status.Code.INVALID_ARGUMENT),
                row("C11a", ControllerGrpc.getCreateVolumeMethod(), create("a", 2, 1), Status.Code.OUT_OF_RANGE),
                row("C11b", ControllerGrpc.getCreateVolumeMethod(), create("a", -1, 0), Status.Code.INVALID_ARGUMENT),
                row(
                        "C12a",
                        ControllerGrpc.getCreateVolumeMethod(),
                        create("n".repeat(129), SIZE, SIZE),
                        Status.Code.INVALID_ARGUMENT),
                row(
                        "C12b",
                        ControllerGrpc.getCreateVolumeMethod(),
                        create("a\u0001", SIZE, SIZE),
                        Status.Code.INVALID_ARGUMENT),
                row(
                        "C14",
                        ControllerGrpc.getCreateVolumeMethod(),
                        whole.toBuilder()
                                .setVolumeContentSource(VolumeContentSource.newBuilder()
                                        .setVolume(VolumeContentSource.VolumeSource.newBuilder()
                                                .setVolumeId("x")))
                                .build(),
                        Status.Code.INVALID_ARGUMENT),
                row(
                        "C17",
                        ControllerGrpc.getCreateVolumeMethod(),
                        whole.toBuilder().putMutableParams("iops", "1").build(),
                        Status.Code.INVALID_ARGUMENT),
                row(
                        "C17a unknown parameter",
                        ControllerGrpc.getCreateVolumeMethod(),
                        whole.toBuilder().putParameters("colour", "red").build(),
                        Status.Code.INVALID_ARGUMENT),
                row(
                        "C17b another node",
                        ControllerGrpc.getCreateVolumeMethod(),
                        whole.toBuilder()
                                .setAccessibilityRequirements(TopologyRequirement.newBuilder()
                                        .addRequisite(Topology.newBuilder().putSegments("zone", "b")))
                                .build(),
                        Status.Code.RESOURCE_EXHAUSTED),
                row("C19", ControllerGrpc.getDeleteVolumeMethod(), delete(""), Status.Code.INVALID_ARGUMENT),
                row(
                        "C22",
                        ControllerGrpc.getValidateVolumeCapabilitiesMethod(),
                        validate("", writer()),
                        Status.Code.INVALID_ARGUMENT),
                row(
                        "C23",
                        ControllerGrpc.getValidateVolumeCapabilitiesMethod(),
                        validate("fake-vol-id"),
                        Status.Code.INVALID_ARGUMENT),
                row(
                        "C25",
                        ControllerGrpc.getValidateVolumeCapabilitiesMethod(),
                        validate("fake-vol-id", writer()),
                        Status.Code.NOT_FOUND),
                row(
                        "C26",
                        ControllerGrpc.getControllerPublishVolumeMethod(),
                        ControllerPublishVolumeRequest.getDefaultInstance(),
                        Status.Code.UNIMPLEMENTED),
                row(
                        "C35",
                        ControllerGrpc.getControllerUnpublishVolumeMethod(),
                        ControllerUnpublishVolumeRequest.getDefaultInstance(),
                        Status.Code.UNIMPLEMENTED),
                row(
                        "E1",
                        ControllerGrpc.getControllerExpandVolumeMethod(),
                        ControllerExpandVolumeRequest.getDefaultInstance(),
                        Status.Code.UNIMPLEMENTED),
                row(
                        "M1",
                        ControllerGrpc.getControllerModifyVolumeMethod(),
                        ControllerModifyVolumeRequest.getDefaultInstance(),
                        Status.Code.UNIMPLEMENTED),
                row(
                        "S1",
                        ControllerGrpc.getListSnapshotsMethod(),
                        ListSnapshotsRequest.getDefaultInstance(),
                        Status.Code.UNIMPLEMENTED),
                row(
                        "S14",
                        ControllerGrpc.getCreateSnapshotMethod(),
                        CreateSnapshotRequest.getDefaultInstance(),
                        Status.Code.UNIMPLEMENTED),
                row(
                        "G1",
                        GroupControllerGrpc.getGroupControllerGetCapabilitiesMethod(),
                        GroupControllerGetCapabilitiesRequest.getDefaultInstance(),
                        Status.Code.UNIMPLEMENTED),
                row(
                        "N3",
                        NodeGrpc.getNodePublishVolumeMethod(),
                        publish.toBuilder().clearVolumeId().build(),
                        Status.Code.INVALID_ARGUMENT),
                row(
                        "N4",
                        NodeGrpc.getNodePublishVolumeMethod(),
                        publish.toBuilder().clearTargetPath().build(),
                        Status.Code.INVALID_ARGUMENT),
                row(
                        "N5",
                        NodeGrpc.getNodePublishVolumeMethod(),
                        publish.toBuilder().clearVolumeCapability().build(),
                        Status.Code.INVALID_ARGUMENT),
                row("N5a", NodeGrpc.getNodePublishVolumeMethod(), publish, Status.Code.NOT_FOUND),
                row(
                        "N5b never made",
                        NodeGrpc.getNodePublishVolumeMethod(),
                        publish.toBuilder()
                                .setVolumeId(VolumeHandle.ofName("never").text())
                                .putVolumeContext(RecordJson.CONTEXT_KEY, "{}")
                                .build(),
                        Status.Code.NOT_FOUND),
                row(
                        "N5c relative",
                        NodeGrpc.getNodePublishVolumeMethod(),
                        publish.toBuilder().setTargetPath("some/path").build(),
                        Status.Code.INVALID_ARGUMENT),
                row(
                        "N5d ephemeral",
                        NodeGrpc.getNodePublishVolumeMethod(),
                        publish.toBuilder()
                                .putVolumeContext("csi.storage.k8s.io/ephemeral", "true")
                                .build(),
                        Status.Code.INVALID_ARGUMENT),
                row(
                        "N7",
                        NodeGrpc.getNodeUnpublishVolumeMethod(),
                        unpublish("", "/nowhere/target"),
                        Status.Code.INVALID_ARGUMENT),
                row(
                        "N8",
                        NodeGrpc.getNodeUnpublishVolumeMethod(),
                        unpublish("fake-vol-id", ""),
                        Status.Code.INVALID_ARGUMENT),
                row(
                        "N10",
                        NodeGrpc.getNodeStageVolumeMethod(),
                        NodeStageVolumeRequest.getDefaultInstance(),
                        Status.Code.UNIMPLEMENTED),
                row(
                        "N13",
                        NodeGrpc.getNodeUnstageVolumeMethod(),
                        NodeUnstageVolumeRequest.getDefaultInstance(),
                        Status.Code.UNIMPLEMENTED),
                row(
                        "N15",
                        NodeGrpc.getNodeGetVolumeStatsMethod(),
                        NodeGetVolumeStatsRequest.getDefaultInstance(),
                        Status.Code.UNIMPLEMENTED),
                row(
                        "N19",
                        NodeGrpc.getNodeExpandVolumeMethod(),
                        NodeExpandVolumeRequest.getDefaultInstance(),
                        Status.Code.UNIMPLEMENTED));
    }

    @ParameterizedTest(name = "{0}: {3}")
    @MethodSource("refused")
    <Q extends Message, A extends Message> void refusesWithTheCode(
            String row, MethodDescriptor<Q, A> method, Q request, Status.Code code) {
        assertThat(driver.status(method, request))
                .as(row)
                .satisfies(status -> assertThat(status.code()).isEqualTo(code))
                .satisfies(status -> assertThat(status.message()).isNotBlank().doesNotContain("planted"));
    }

    // ------------------------------------------------------------------------------- rows that succeed

    @Test
    void i1ToI3TellWhoTheDriverIs() {
        var info = driver.call(IdentityGrpc.getGetPluginInfoMethod(), GetPluginInfoRequest.getDefaultInstance());
        assertThat(info.getName()).isEqualTo(ServedDriver.NAME);
        assertThat(info.getVendorVersion()).isEqualTo("0.1");
        assertThat(driver.call(
                                IdentityGrpc.getGetPluginCapabilitiesMethod(),
                                GetPluginCapabilitiesRequest.getDefaultInstance())
                        .getCapabilitiesList())
                .extracting(each -> each.getService().getType())
                .containsExactly(
                        PluginCapability.Service.Type.CONTROLLER_SERVICE,
                        PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS);
        assertThat(driver.call(IdentityGrpc.getProbeMethod(), ProbeRequest.getDefaultInstance())
                        .getReady()
                        .getValue())
                .isTrue();
    }

    @Test
    void c1AndN1TellWhatThePluginCan() {
        assertThat(driver.call(
                                ControllerGrpc.getControllerGetCapabilitiesMethod(),
                                ControllerGetCapabilitiesRequest.getDefaultInstance())
                        .getCapabilitiesList())
                .extracting(each -> each.getRpc().getType())
                .containsExactly(
                        RPC.Type.CREATE_DELETE_VOLUME,
                        RPC.Type.LIST_VOLUMES,
                        RPC.Type.GET_CAPACITY,
                        RPC.Type.SINGLE_NODE_MULTI_WRITER);
        assertThat(driver.call(NodeGrpc.getNodeGetCapabilitiesMethod(), NodeGetCapabilitiesRequest.getDefaultInstance())
                        .getCapabilitiesList())
                .extracting(each -> each.getRpc().getType())
                .containsExactly(NodeServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER);
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
    void c3AndC5ListEachVolumeAtOnceAndInPages() {
        assertThat(list().getEntriesCount()).isZero();
        List<String> made = Stream.of("a", "b", "c")
                .map(name -> make(create(name, SIZE, SIZE)).getVolumeId())
                .sorted()
                .toList();
        assertThat(list().getEntriesList())
                .extracting(entry -> entry.getVolume().getVolumeId())
                .containsExactlyElementsOf(made);
        ListVolumesResponse first = driver.call(ControllerGrpc.getListVolumesMethod(), page(2, ""));
        assertThat(first.getEntriesCount()).isEqualTo(2);
        driver.call(ControllerGrpc.getDeleteVolumeMethod(), delete(made.get(0)));
        ListVolumesResponse second = driver.call(ControllerGrpc.getListVolumesMethod(), page(2, first.getNextToken()));
        assertThat(second.getEntriesList())
                .extracting(entry -> entry.getVolume().getVolumeId())
                .containsExactly(made.get(2));
        assertThat(second.getNextToken()).isEmpty();
        assertThat(list().getEntriesCount()).isEqualTo(2);
    }

    @Test
    void c8ToC10MakeOneVolumeForAName() throws IOException {
        Volume first = make(create("pvc-1", 0, 0));
        assertThat(first.getVolumeId()).startsWith("m1-").hasSizeLessThanOrEqualTo(128);
        assertThat(first.getAccessibleTopology(0).getSegmentsMap())
                .isEqualTo(Map.of("topology." + ServedDriver.NAME + "/node", ServedDriver.NODE));
        for (int i = 0; i < 10; i++) {
            assertThat(make(create("pvc-1", 0, 0))).isEqualTo(first);
        }
        assertThat(make(create("pvc-2", SIZE, 0)).getCapacityBytes()).isEqualTo(SIZE);
        try (Stream<Path> volumes = Files.list(directory.resolve("root/v"))) {
            assertThat(volumes.map(path -> path.getFileName().toString())).containsExactlyInAnyOrder("pvc-1", "pvc-2");
        }
    }

    @Test
    void c11TellsAnotherSizeOfTheSameName() {
        assertThat(make(create("a", SIZE, SIZE)).getCapacityBytes()).isEqualTo(SIZE);
        assertThat(driver.code(ControllerGrpc.getCreateVolumeMethod(), create("a", 2 * SIZE, 2 * SIZE)))
                .isEqualTo(Status.Code.ALREADY_EXISTS);
        assertThat(driver.code(
                        ControllerGrpc.getCreateVolumeMethod(),
                        create("a", SIZE, SIZE).toBuilder()
                                .putParameters("mode", "0700")
                                .build()))
                .isEqualTo(Status.Code.ALREADY_EXISTS);
        assertThat(driver.code(
                        ControllerGrpc.getCreateVolumeMethod(),
                        create("a", SIZE, SIZE).toBuilder()
                                .setVolumeCapabilities(0, mount(Mode.MULTI_NODE_READER_ONLY))
                                .build()))
                .isEqualTo(Status.Code.ALREADY_EXISTS);
    }

    @Test
    void c12TakesTheLongestNameAndLettersOfAnyScript() {
        String longest = "n".repeat(128);
        assertThat(make(create(longest, SIZE, SIZE)).getVolumeId())
                .isNotEqualTo(make(create("größe / 大", SIZE, SIZE)).getVolumeId());
    }

    @Test
    void c20AndC21DeleteWhatIsThereAndWhatIsNot() throws IOException {
        driver.call(ControllerGrpc.getDeleteVolumeMethod(), delete("fake-vol-id"));
        driver.call(
                ControllerGrpc.getDeleteVolumeMethod(),
                delete(VolumeHandle.ofName("never made").text()));
        Volume volume = make(create("a", SIZE, SIZE));
        driver.call(ControllerGrpc.getDeleteVolumeMethod(), delete(volume.getVolumeId()));
        driver.call(ControllerGrpc.getDeleteVolumeMethod(), delete(volume.getVolumeId()));
        try (Stream<Path> volumes = Files.list(directory.resolve("root/v"))) {
            assertThat(volumes).isEmpty();
        }
        try (Stream<Path> records = Files.list(directory.resolve("records/volumes"))) {
            assertThat(records).isEmpty();
        }
    }

    @Test
    void c24ConfirmsWhatTheVolumeWasMadeFor() {
        Volume volume = make(create("a", SIZE, SIZE));
        var yes = driver.call(
                ControllerGrpc.getValidateVolumeCapabilitiesMethod(), validate(volume.getVolumeId(), writer()));
        assertThat(yes.getConfirmed().getVolumeCapabilitiesList()).containsExactly(writer());
        var no = driver.call(
                ControllerGrpc.getValidateVolumeCapabilitiesMethod(),
                validate(volume.getVolumeId(), writer(), mount(Mode.MULTI_NODE_MULTI_WRITER)));
        assertThat(no.hasConfirmed()).isFalse();
        assertThat(no.getMessage()).contains("MULTI_NODE_MULTI_WRITER");
    }

    @Test
    void n2TellsTheNode() {
        var info = driver.call(NodeGrpc.getNodeGetInfoMethod(), NodeGetInfoRequest.getDefaultInstance());
        assertThat(info.getNodeId()).isEqualTo(ServedDriver.NODE);
        assertThat(info.getMaxVolumesPerNode()).isZero();
        assertThat(info.getAccessibleTopology().getSegmentsMap()).hasSize(1);
    }

    @Test
    void n6GivesAVolumeOfOneWriterToOneTarget() throws IOException {
        Volume volume = make(create("a", SIZE, SIZE, mount(Mode.SINGLE_NODE_SINGLE_WRITER)));
        NodePublishVolumeRequest request = publish(volume, target("one"), mount(Mode.SINGLE_NODE_SINGLE_WRITER));
        driver.call(NodeGrpc.getNodePublishVolumeMethod(), request);
        driver.call(NodeGrpc.getNodePublishVolumeMethod(), request);
        assertThat(driver.code(
                        NodeGrpc.getNodePublishVolumeMethod(),
                        publish(volume, target("two"), mount(Mode.SINGLE_NODE_SINGLE_WRITER))))
                .isEqualTo(Status.Code.FAILED_PRECONDITION);
        assertThat(target("two")).doesNotExist();
    }

    /** Kubernetes publishes a volume of mode 1 for several pods of a node. */
    @Test
    void severalTargetsShareAVolumeOfOneNode() throws IOException {
        Volume volume = make(create("a", SIZE, SIZE));
        for (String each : List.of("one", "two")) {
            driver.call(NodeGrpc.getNodePublishVolumeMethod(), publish(volume, target(each), writer()));
        }
        Files.writeString(target("one").resolve("file"), "shared");
        assertThat(target("two").resolve("file")).hasContent("shared");
    }

    @Test
    void aTargetIsOfOneKind() {
        Volume volume = make(create("a", SIZE, SIZE));
        NodePublishVolumeRequest request = publish(volume, target("one"), writer());
        driver.call(NodeGrpc.getNodePublishVolumeMethod(), request);
        assertThat(driver.code(
                        NodeGrpc.getNodePublishVolumeMethod(),
                        request.toBuilder().setReadonly(true).build()))
                .isEqualTo(Status.Code.ALREADY_EXISTS);
        // Secrets and the pod's data are no part of the comparison.
        driver.call(
                NodeGrpc.getNodePublishVolumeMethod(),
                request.toBuilder()
                        .putSecrets("token", "new")
                        .putVolumeContext("csi.storage.k8s.io/pod.name", "web")
                        .build());
    }

    @Test
    void aReadOnlyTargetCannotBeWritten() {
        Volume volume = make(create("a", SIZE, SIZE));
        driver.call(
                NodeGrpc.getNodePublishVolumeMethod(),
                publish(volume, target("one"), writer()).toBuilder()
                        .setReadonly(true)
                        .build());
        assertThatThrownBy(() -> Files.writeString(target("one").resolve("file"), "x"))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("Read-only");
    }

    @Test
    void n9RemovesTheTargetWhoeverMadeIt() throws IOException {
        Volume volume = make(create("a", SIZE, SIZE));
        for (boolean madeBefore : List.of(false, true)) {
            if (madeBefore) {
                Files.createDirectory(target("one"));
            }
            driver.call(NodeGrpc.getNodePublishVolumeMethod(), publish(volume, target("one"), writer()));
            assertThat(target("one")).isDirectory();
            unpublish(volume, target("one"));
            assertThat(target("one")).doesNotExist();
            unpublish(volume, target("one"));
        }
        Files.createDirectory(target("one"));
        driver.call(
                NodeGrpc.getNodeUnpublishVolumeMethod(),
                unpublish("fake-vol-id", target("one").toString()));
        assertThat(target("one")).doesNotExist();
    }

    @Test
    void deletesNothingThatIsInUse() {
        Volume volume = make(create("a", SIZE, SIZE));
        driver.call(NodeGrpc.getNodePublishVolumeMethod(), publish(volume, target("one"), writer()));
        assertThat(driver.code(ControllerGrpc.getDeleteVolumeMethod(), delete(volume.getVolumeId())))
                .isEqualTo(Status.Code.FAILED_PRECONDITION);
        unpublish(volume, target("one"));
        driver.call(ControllerGrpc.getDeleteVolumeMethod(), delete(volume.getVolumeId()));
    }

    @Test
    void n23AndN24LiveAWholeLifeEachStepRepeatedAndTheDriverRestarted() throws Exception {
        Volume volume = make(create("a", SIZE, SIZE));
        NodePublishVolumeRequest request = publish(volume, target("one"), writer());
        for (int i = 0; i < 10; i++) {
            driver.call(NodeGrpc.getNodePublishVolumeMethod(), request);
        }
        Files.writeString(target("one").resolve("file"), "kept");
        driver.restart();
        assertThat(make(create("a", SIZE, SIZE))).isEqualTo(volume);
        driver.call(NodeGrpc.getNodePublishVolumeMethod(), request);
        assertThat(target("one").resolve("file")).hasContent("kept");
        assertThat(Files.readString(Path.of("/proc/self/mountinfo"))
                        .lines()
                        .filter(line -> line.contains(target("one").toString())))
                .hasSize(1);
        driver.restart();
        for (int i = 0; i < 10; i++) {
            unpublish(volume, target("one"));
        }
        assertThat(target("one")).doesNotExist();
        for (int i = 0; i < 10; i++) {
            driver.call(ControllerGrpc.getDeleteVolumeMethod(), delete(volume.getVolumeId()));
        }
    }

    // --------------------------------------------------------------------------------------- requests

    private Volume make(CreateVolumeRequest request) {
        return driver.call(ControllerGrpc.getCreateVolumeMethod(), request).getVolume();
    }

    private ListVolumesResponse list() {
        return driver.call(ControllerGrpc.getListVolumesMethod(), ListVolumesRequest.getDefaultInstance());
    }

    private void unpublish(Volume volume, Path target) {
        driver.call(NodeGrpc.getNodeUnpublishVolumeMethod(), unpublish(volume.getVolumeId(), target.toString()));
    }

    private Path target(String name) {
        Path target = directory.resolve(name);
        if (!targets.contains(target)) {
            targets.add(target);
        }
        return target;
    }

    private static CreateVolumeRequest create(String name, long least, long most) {
        return create(name, least, most, writer());
    }

    private static CreateVolumeRequest create(String name, long least, long most, VolumeCapability capability) {
        return CreateVolumeRequest.newBuilder()
                .setName(name)
                .addVolumeCapabilities(capability)
                .setCapacityRange(
                        CapacityRange.newBuilder().setRequiredBytes(least).setLimitBytes(most))
                .build();
    }

    private static DeleteVolumeRequest delete(String id) {
        return DeleteVolumeRequest.newBuilder().setVolumeId(id).build();
    }

    private static ListVolumesRequest page(int most, String token) {
        return ListVolumesRequest.newBuilder()
                .setMaxEntries(most)
                .setStartingToken(token)
                .build();
    }

    private static ValidateVolumeCapabilitiesRequest validate(String id, VolumeCapability... capabilities) {
        return ValidateVolumeCapabilitiesRequest.newBuilder()
                .setVolumeId(id)
                .addAllVolumeCapabilities(List.of(capabilities))
                .build();
    }

    private static NodePublishVolumeRequest publish(Volume volume, Path target, VolumeCapability capability) {
        return NodePublishVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .setTargetPath(target.toString())
                .setVolumeCapability(capability)
                .putAllVolumeContext(volume.getVolumeContextMap())
                .build();
    }

    private static NodeUnpublishVolumeRequest unpublish(String id, String target) {
        return NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setTargetPath(target)
                .build();
    }
}
