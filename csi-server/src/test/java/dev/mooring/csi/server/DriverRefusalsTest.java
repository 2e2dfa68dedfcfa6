// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import static dev.mooring.csi.server.ServedDriver.writer;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import dev.mooring.csi.v1.ControllerExpandVolumeRequest;
import dev.mooring.csi.v1.ControllerGrpc;
import dev.mooring.csi.v1.ControllerModifyVolumeRequest;
import dev.mooring.csi.v1.ControllerPublishVolumeRequest;
import dev.mooring.csi.v1.ControllerUnpublishVolumeRequest;
import dev.mooring.csi.v1.NodeExpandVolumeRequest;
import dev.mooring.csi.v1.NodeGrpc;
import dev.mooring.csi.v1.NodePublishVolumeRequest;
import dev.mooring.csi.v1.NodeStageVolumeRequest;
import dev.mooring.csi.v1.NodeUnstageVolumeRequest;
import dev.mooring.csi.v1.Volume;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which code a call is refused with, and which code each outcome of a plugin becomes. */
class DriverRefusalsTest extends ServedWholePlugin {
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
}
