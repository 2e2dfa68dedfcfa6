// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import static dev.mooring.csi.server.ServedDriver.mount;
import static dev.mooring.csi.server.ServedDriver.writer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.Message;
import dev.mooring.csi.CsiStatus;
import dev.mooring.csi.MessageText;
import dev.mooring.csi.v1.CapacityRange;
import dev.mooring.csi.v1.ControllerExpandVolumeRequest;
import dev.mooring.csi.v1.ControllerGetVolumeRequest;
import dev.mooring.csi.v1.ControllerGrpc;
import dev.mooring.csi.v1.ControllerModifyVolumeRequest;
import dev.mooring.csi.v1.ControllerPublishVolumeRequest;
import dev.mooring.csi.v1.ControllerUnpublishVolumeRequest;
import dev.mooring.csi.v1.CreateVolumeRequest;
import dev.mooring.csi.v1.DeleteVolumeRequest;
import dev.mooring.csi.v1.NodeExpandVolumeRequest;
import dev.mooring.csi.v1.NodeGetVolumeStatsRequest;
import dev.mooring.csi.v1.NodeGrpc;
import dev.mooring.csi.v1.NodePublishVolumeRequest;
import dev.mooring.csi.v1.NodeStageVolumeRequest;
import dev.mooring.csi.v1.NodeUnpublishVolumeRequest;
import dev.mooring.csi.v1.NodeUnstageVolumeRequest;
import dev.mooring.csi.v1.Volume;
import dev.mooring.csi.v1.VolumeCapability;
import dev.mooring.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The rows of semantics/csi §17 that hostPath does not promise, and what a plugin's answers become. */
class WholePluginDriverTest {
    private static final String ID = VolumeHandle.ofName("never").text();
    private static final String SECRET = "planted-password";
    private static final long SIZE = 1 << 30;

    @TempDir
    Path directory;

    private final WholePlugin plugin = new WholePlugin();
    private LinuxHost host;
    private ServedDriver driver;
    private Path staging;
    private Path target;

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

    private static <Q extends Message, A extends Message> Arguments row(
            String number, MethodDescriptor<Q, A> method, Q request, Status.Code code) {
        return Arguments.of(number + " " + method.getBareMethodName(), method, request, code);
    }

    static Stream<Arguments> refused() {
        ControllerPublishVolumeRequest attach = ControllerPublishVolumeRequest.newBuilder()
                .setVolumeId(ID)
                .setNodeId("fake-node-id")
                .setVolumeCapability(writer())
                .build();
        NodeStageVolumeRequest stage = NodeStageVolumeRequest.newBuilder()
                .setVolumeId(ID)
                .setStagingTargetPath("/nowhere/staging")
                .setVolumeCapability(writer())
                .build();
        NodePublishVolumeRequest publish = NodePublishVolumeRequest.newBuilder()
                .setVolumeId(ID)
                .setTargetPath("/nowhere/target")
                .setVolumeCapability(writer())
                .build();
        var attaching = ControllerGrpc.getControllerPublishVolumeMethod();
        var expanding = ControllerGrpc.getControllerExpandVolumeMethod();
        var modifying = ControllerGrpc.getControllerModifyVolumeMethod();
        var stagingMethod = NodeGrpc.getNodeStageVolumeMethod();
        var unstaging = NodeGrpc.getNodeUnstageVolumeMethod();
        var measuring = NodeGrpc.getNodeGetVolumeStatsMethod();
        var growing = NodeGrpc.getNodeExpandVolumeMethod();
        Status.Code invalid = Status.Code.INVALID_ARGUMENT;
        Status.Code missing = Status.Code.NOT_FOUND;
        return Stream.of(
                row("C26", attaching, attach.toBuilder().clearVolumeId().build(), invalid),
                row("C27", attaching, attach.toBuilder().clearNodeId().build(), invalid),
                row("C28", attaching, attach.toBuilder().clearVolumeCapability().build(), invalid),
                row("C30", attaching, attach, missing),
                row(
                        "C35",
                        ControllerGrpc.getControllerUnpublishVolumeMethod(),
                        ControllerUnpublishVolumeRequest.getDefaultInstance(),
                        invalid),
                row("E1", expanding, ControllerExpandVolumeRequest.getDefaultInstance(), invalid),
                row("E2", expanding, expand("", 0), invalid),
                row(
                        "E2a",
                        expanding,
                        ControllerExpandVolumeRequest.newBuilder()
                                .setVolumeId(ID)
                                .build(),
                        invalid),
                row("E2b", expanding, expand(ID, 1), missing),
                row("M1", modifying, ControllerModifyVolumeRequest.getDefaultInstance(), invalid),
                row(
                        "M2",
                        modifying,
                        ControllerModifyVolumeRequest.newBuilder()
                                .setVolumeId("non-existing-volume-id")
                                .build(),
                        missing),
                row("N5", NodeGrpc.getNodePublishVolumeMethod(), publish, Status.Code.FAILED_PRECONDITION),
                row("N10", stagingMethod, stage.toBuilder().clearVolumeId().build(), invalid),
                row(
                        "N11",
                        stagingMethod,
                        stage.toBuilder().clearStagingTargetPath().build(),
                        invalid),
                row(
                        "N12",
                        stagingMethod,
                        stage.toBuilder().clearVolumeCapability().build(),
                        invalid),
                row("N12a", stagingMethod, stage, missing),
                row("N13", unstaging, NodeUnstageVolumeRequest.getDefaultInstance(), invalid),
                row(
                        "N14",
                        unstaging,
                        NodeUnstageVolumeRequest.newBuilder().setVolumeId(ID).build(),
                        invalid),
                row("N15", measuring, measure("", "some/path"), invalid),
                row("N16", measuring, measure(ID, ""), invalid),
                row("N17", measuring, measure("fake-vol-id", "some/path"), missing),
                row("N19", growing, NodeExpandVolumeRequest.getDefaultInstance(), invalid),
                row(
                        "N20",
                        growing,
                        NodeExpandVolumeRequest.newBuilder().setVolumeId(ID).build(),
                        invalid),
                row("N21", growing, grow("fake-vol-id", "some/path"), missing));
    }

    @ParameterizedTest(name = "{0}: {3}")
    @MethodSource("refused")
    <Q extends Message, A extends Message> void refusesWithTheCode(
            String row, MethodDescriptor<Q, A> method, Q request, Status.Code code) {
        assertThat(driver.code(method, request)).as(row).isEqualTo(code);
        assertThat(plugin.calls).as("a refused request reaches no plugin").isEmpty();
    }

    @Test
    void livesAWholeLifeWithEachStepRepeatedAndTheDriverRestarted() throws IOException {
        Volume volume = make("a");
        var attach = attach(volume, ServedDriver.NODE_ID);
        assertThat(driver.call(ControllerGrpc.getControllerPublishVolumeMethod(), attach)
                        .getPublishContextMap())
                .isEqualTo(Map.of("device", "/dev/node-a"));
        assertThat(driver.code(
                        ControllerGrpc.getControllerPublishVolumeMethod(),
                        attach.toBuilder().setReadonly(true).build()))
                .as("C32")
                .isEqualTo(Status.Code.ALREADY_EXISTS);
        var stage = stage(volume);
        var publish = publish(volume);
        for (int i = 0; i < 3; i++) {
            driver.call(ControllerGrpc.getControllerPublishVolumeMethod(), attach);
            driver.call(NodeGrpc.getNodeStageVolumeMethod(), stage);
            driver.call(NodeGrpc.getNodePublishVolumeMethod(), publish);
            driver.restart();
        }
        var usage =
                driver.call(NodeGrpc.getNodeGetVolumeStatsMethod(), measure(volume.getVolumeId(), target.toString()));
        assertThat(usage.getUsageList()).extracting(each -> each.getAvailable()).containsExactly(60L, 7L);
        assertThat(driver.code(NodeGrpc.getNodeGetVolumeStatsMethod(), measure(volume.getVolumeId(), "some/path")))
                .as("N18")
                .isEqualTo(Status.Code.NOT_FOUND);
        assertThat(driver.call(ControllerGrpc.getControllerExpandVolumeMethod(), expand(volume.getVolumeId(), 2 * SIZE))
                        .getCapacityBytes())
                .as("E3")
                .isEqualTo(2 * SIZE);
        assertThat(driver.call(NodeGrpc.getNodeExpandVolumeMethod(), grow(volume.getVolumeId(), target.toString()))
                        .getCapacityBytes())
                .as("N22")
                .isEqualTo(2 * SIZE);
        assertThat(driver.code(NodeGrpc.getNodeUnstageVolumeMethod(), unstage(volume)))
                .as("still published")
                .isEqualTo(Status.Code.FAILED_PRECONDITION);
        assertThat(driver.code(ControllerGrpc.getDeleteVolumeMethod(), delete(volume)))
                .as("still used")
                .isEqualTo(Status.Code.FAILED_PRECONDITION);
        driver.restart();
        for (int i = 0; i < 2; i++) {
            driver.call(NodeGrpc.getNodeUnpublishVolumeMethod(), unpublish(volume));
            driver.call(NodeGrpc.getNodeUnstageVolumeMethod(), unstage(volume));
            driver.call(
                    ControllerGrpc.getControllerUnpublishVolumeMethod(),
                    ControllerUnpublishVolumeRequest.newBuilder()
                            .setVolumeId(volume.getVolumeId())
                            .build());
            driver.call(ControllerGrpc.getDeleteVolumeMethod(), delete(volume));
        }
        assertThat(plugin.calls)
                .contains("stage {device=/dev/node-a} []", "publish INITIAL false", "publish RECOVERY false")
                .contains("grow staging")
                .endsWith(
                        "unpublish published shop/web",
                        "unstage staged \"here\"",
                        "detach a node-a",
                        "delete a {note=kept}",
                        "delete a {note=kept}");
        try (Stream<Path> records = Files.list(directory.resolve("records/volumes"))) {
            assertThat(records).isEmpty();
        }
    }

    /** As when a controller comes up on another machine: its records are gone, and the volume's id has everything. */
    @Test
    void aControllerWithoutItsRecordsStillKnowsItsVolumes() throws IOException {
        Volume volume = make("a");
        driver.close();
        driver = ServedDriver.split(plugin, host, directory);
        plugin.calls.clear();
        driver.call(ControllerGrpc.getControllerPublishVolumeMethod(), attach(volume, ServedDriver.NODE_ID));
        Volume untold = volume.toBuilder().clearVolumeContext().build();
        driver.call(NodeGrpc.getNodeStageVolumeMethod(), stage(untold));
        driver.call(NodeGrpc.getNodePublishVolumeMethod(), publish(untold));
        driver.call(NodeGrpc.getNodeUnpublishVolumeMethod(), unpublish(volume));
        driver.call(NodeGrpc.getNodeUnstageVolumeMethod(), unstage(volume));
        driver.call(ControllerGrpc.getControllerExpandVolumeMethod(), expand(volume.getVolumeId(), 2 * SIZE));
        driver.call(
                ControllerGrpc.getControllerUnpublishVolumeMethod(),
                Requests.detach(volume.getVolumeId(), ServedDriver.NODE_ID));
        assertThat(make("a").getVolumeId()).isEqualTo(volume.getVolumeId());
        driver.call(ControllerGrpc.getDeleteVolumeMethod(), delete(volume));
        assertThat(plugin.calls)
                .containsExactly(
                        "attach a node-a",
                        "stage {device=/dev/node-a} []",
                        "publish INITIAL false",
                        "unpublish published shop/web",
                        "unstage staged \"here\"",
                        "expand a",
                        "detach a node-a",
                        "provision a",
                        "delete a {note=kept}");
    }

    @Test
    void aVolumeOfOneNodeIsNotPublishedOnAnother() {
        Volume volume = make("a");
        driver.call(ControllerGrpc.getControllerPublishVolumeMethod(), attach(volume, ServedDriver.NODE_ID));
        var other = attach(volume, "m1/node-b");
        assertThat(driver.status(ControllerGrpc.getControllerPublishVolumeMethod(), other))
                .satisfies(status -> assertThat(status.code()).isEqualTo(Status.Code.FAILED_PRECONDITION))
                .satisfies(status -> assertThat(status.message()).contains(ServedDriver.NODE_ID));
        driver.call(
                ControllerGrpc.getControllerUnpublishVolumeMethod(),
                Requests.detach(volume.getVolumeId(), ServedDriver.NODE_ID));
        driver.call(ControllerGrpc.getControllerPublishVolumeMethod(), other);
    }

    @Test
    void aVolumeIsNotPublishedBeforeItIsStaged() {
        Volume volume = make("a");
        assertThat(driver.code(NodeGrpc.getNodePublishVolumeMethod(), publish(volume)))
                .isEqualTo(Status.Code.FAILED_PRECONDITION);
        driver.call(NodeGrpc.getNodeStageVolumeMethod(), stage(volume));
        assertThat(driver.code(
                        NodeGrpc.getNodeStageVolumeMethod(),
                        stage(volume).toBuilder()
                                .setVolumeCapability(mount(Mode.MULTI_NODE_MULTI_WRITER))
                                .build()))
                .isEqualTo(Status.Code.ALREADY_EXISTS);
    }

    @Test
    void modifiesWhatIsNamedAndNothingElse() {
        Volume volume = make("a");
        var request = ControllerModifyVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .putMutableParams("iops", "5")
                .build();
        driver.call(ControllerGrpc.getControllerModifyVolumeMethod(), request);
        assertThat(driver.code(
                        ControllerGrpc.getControllerModifyVolumeMethod(),
                        request.toBuilder().putMutableParams("XXX_FakeKey", "x").build()))
                .as("M3")
                .isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(driver.code(
                        ControllerGrpc.getCreateVolumeMethod(),
                        create("b").toBuilder()
                                .putMutableParams("XXX_FakeKey", "x")
                                .build()))
                .as("C18")
                .isEqualTo(Status.Code.INVALID_ARGUMENT);
        var seen = driver.call(
                ControllerGrpc.getControllerGetVolumeMethod(),
                ControllerGetVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .build());
        assertThat(seen.getStatus().getVolumeCondition().getMessage()).isEqualTo("degraded");
    }

    @Test
    void aSecondCallForAVolumeIsAbortedAndDoesNotWait() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        plugin.faults = outcome -> {
            entered.countDown();
            try {
                leave.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return outcome;
        };
        var first = driver.start(ControllerGrpc.getCreateVolumeMethod(), create("a"));
        entered.await();
        assertThat(driver.code(ControllerGrpc.getCreateVolumeMethod(), create("a")))
                .isEqualTo(Status.Code.ABORTED);
        assertThat(driver.code(
                        ControllerGrpc.getDeleteVolumeMethod(),
                        DeleteVolumeRequest.newBuilder()
                                .setVolumeId(VolumeHandle.ofName("a").text())
                                .build()))
                .isEqualTo(Status.Code.ABORTED);
        plugin.faults = outcome -> outcome;
        make("another");
        leave.countDown();
        assertThat(first.await().getVolume()).isEqualTo(make("a"));
    }

    @Test
    void anUncertainStartIsRepeatedAndARefusedOneForgotten() {
        plugin.faults = outcome -> Outcome.uncertain("the answer was lost");
        assertThat(driver.code(ControllerGrpc.getCreateVolumeMethod(), create("a")))
                .isEqualTo(Status.Code.ABORTED);
        plugin.faults = outcome -> Outcome.refused(Refusal.EXHAUSTED, "full");
        assertThat(driver.code(ControllerGrpc.getCreateVolumeMethod(), create("b")))
                .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        plugin.faults = outcome -> outcome;
        assertThat(driver.code(
                        ControllerGrpc.getCreateVolumeMethod(),
                        create("a").toBuilder().putParameters("other", "x").build()))
                .as("what may exist is not given to another request")
                .isEqualTo(Status.Code.ALREADY_EXISTS);
        make("a");
        driver.call(
                ControllerGrpc.getCreateVolumeMethod(),
                create("b").toBuilder().putParameters("other", "x").build());
    }

    /** What a plugin answers, and which code that is for a stage, an expansion and a deletion. */
    static Stream<Arguments> outcomes() {
        Status.Code precondition = Status.Code.FAILED_PRECONDITION;
        return Stream.of(
                outcome(Outcome.refused(Refusal.INVALID, "w"), Status.Code.INVALID_ARGUMENT),
                outcome(Outcome.refused(Refusal.UNSUPPORTED, "w"), Status.Code.INVALID_ARGUMENT),
                outcome(Outcome.refused(Refusal.NOT_FOUND, "w"), Status.Code.NOT_FOUND),
                outcome(Outcome.refused(Refusal.DENIED, "w"), Status.Code.PERMISSION_DENIED),
                outcome(Outcome.refused(Refusal.IN_USE, "w"), precondition),
                outcome(Outcome.refused(Refusal.CORRUPT, "w"), precondition),
                Arguments.of(
                        Outcome.refused(Refusal.EXHAUSTED, "w"),
                        Status.Code.RESOURCE_EXHAUSTED,
                        Status.Code.OUT_OF_RANGE,
                        Status.Code.RESOURCE_EXHAUSTED),
                Arguments.of(
                        Outcome.refused(Refusal.INCOMPATIBLE, "w"),
                        precondition,
                        Status.Code.ALREADY_EXISTS,
                        Status.Code.ALREADY_EXISTS),
                outcome(Outcome.uncertain("w"), Status.Code.ABORTED),
                outcome(Outcome.deferred("w"), Status.Code.UNAVAILABLE),
                outcome(Outcome.inUseElsewhere(List.of(new NodeRef("node-b", "")), "w"), precondition));
    }

    private static Arguments outcome(Outcome<?> outcome, Status.Code code) {
        return Arguments.of(outcome, code, code, code);
    }

    @ParameterizedTest
    @MethodSource("outcomes")
    void eachOutcomeHasItsCode(Outcome<?> outcome, Status.Code stage, Status.Code expand, Status.Code delete) {
        Volume volume = make("a");
        plugin.faults = any -> outcome;
        assertThat(driver.code(NodeGrpc.getNodeStageVolumeMethod(), stage(volume)))
                .isEqualTo(stage);
        assertThat(driver.code(
                        ControllerGrpc.getControllerExpandVolumeMethod(), expand(volume.getVolumeId(), 2 * SIZE)))
                .isEqualTo(expand);
        plugin.faults = any -> any;
        driver.call(NodeGrpc.getNodeUnstageVolumeMethod(), unstage(volume));
        plugin.faults = any -> outcome;
        assertThat(driver.code(ControllerGrpc.getDeleteVolumeMethod(), delete(volume)))
                .isEqualTo(delete);
    }

    @Test
    void namesTheNodeThatHasTheVolume() {
        Volume volume = make("a");
        plugin.faults = any -> Outcome.inUseElsewhere(List.of(new NodeRef("node-b", "")), "it is attached");
        assertThat(driver.status(
                                ControllerGrpc.getControllerPublishVolumeMethod(), attach(volume, ServedDriver.NODE_ID))
                        .message())
                .contains("node-b");
    }

    @Test
    void neitherSecretsNorMountFlagsAreInAMessageOrARecord() throws IOException {
        Volume volume = make("a");
        NodeStageVolumeRequest request = stage(volume).toBuilder()
                .putSecrets("password", SECRET)
                .setVolumeCapability(VolumeCapability.newBuilder()
                        .setMount(VolumeCapability.MountVolume.newBuilder().addMountFlags("pass=flag-" + SECRET))
                        .setAccessMode(writer().getAccessMode()))
                .build();
        plugin.faults = any -> Outcome.refused(Refusal.DENIED, "no login with " + SECRET + " and pass=flag-" + SECRET);
        CsiStatus refused = driver.status(NodeGrpc.getNodeStageVolumeMethod(), request);
        assertThat(refused.message()).doesNotContain(SECRET).contains("no login with " + MessageText.STRIPPED);
        plugin.faults = any -> {
            throw new IllegalStateException(SECRET);
        };
        CsiStatus thrown = driver.status(NodeGrpc.getNodeStageVolumeMethod(), request);
        assertThat(thrown.code()).isEqualTo(Status.Code.ABORTED);
        assertThat(thrown.message()).doesNotContain(SECRET);
        plugin.faults = any -> any;
        driver.call(NodeGrpc.getNodeStageVolumeMethod(), request);
        assertThat(plugin.calls).last().asString().contains("flag-" + SECRET);
        try (Stream<Path> records = Files.list(directory.resolve("records/volumes"))) {
            assertThat(records)
                    .isNotEmpty()
                    .allSatisfy(record ->
                            assertThat(record).content().contains("STAGED").doesNotContain(SECRET));
        }
    }

    // --------------------------------------------------------------------------------------- requests

    private Volume make(String name) {
        return driver.call(ControllerGrpc.getCreateVolumeMethod(), create(name)).getVolume();
    }

    private static CreateVolumeRequest create(String name) {
        return CreateVolumeRequest.newBuilder()
                .setName(name)
                .addVolumeCapabilities(writer())
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(SIZE))
                .build();
    }

    private static ControllerPublishVolumeRequest attach(Volume volume, String node) {
        return ControllerPublishVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .setNodeId(node)
                .setVolumeCapability(writer())
                .build();
    }

    private NodeStageVolumeRequest stage(Volume volume) {
        return NodeStageVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .setStagingTargetPath(staging.toString())
                .setVolumeCapability(writer())
                .putPublishContext("device", "/dev/node-a")
                .putAllVolumeContext(volume.getVolumeContextMap())
                .build();
    }

    private NodePublishVolumeRequest publish(Volume volume) {
        return NodePublishVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .setStagingTargetPath(staging.toString())
                .setTargetPath(target.toString())
                .setVolumeCapability(writer())
                .putVolumeContext("csi.storage.k8s.io/pod.namespace", "shop")
                .putVolumeContext("csi.storage.k8s.io/pod.name", "web")
                .build();
    }

    private NodeUnstageVolumeRequest unstage(Volume volume) {
        return NodeUnstageVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .setStagingTargetPath(staging.toString())
                .build();
    }

    private NodeUnpublishVolumeRequest unpublish(Volume volume) {
        return NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .setTargetPath(target.toString())
                .build();
    }

    private static DeleteVolumeRequest delete(Volume volume) {
        return DeleteVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .build();
    }

    private static ControllerExpandVolumeRequest expand(String id, long bytes) {
        return ControllerExpandVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(bytes))
                .build();
    }

    private static NodeGetVolumeStatsRequest measure(String id, String path) {
        return NodeGetVolumeStatsRequest.newBuilder()
                .setVolumeId(id)
                .setVolumePath(path)
                .build();
    }

    private static NodeExpandVolumeRequest grow(String id, String path) {
        return NodeExpandVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setVolumePath(path)
                .build();
    }
}
