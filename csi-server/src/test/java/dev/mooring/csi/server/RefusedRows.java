// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import static dev.mooring.csi.server.ServedDriver.writer;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import dev.mooring.csi.CsiStatus;
import dev.mooring.csi.v1.ControllerExpandVolumeRequest;
import dev.mooring.csi.v1.ControllerGrpc;
import dev.mooring.csi.v1.ControllerModifyVolumeRequest;
import dev.mooring.csi.v1.ControllerPublishVolumeRequest;
import dev.mooring.csi.v1.ControllerServiceCapability;
import dev.mooring.csi.v1.ControllerUnpublishVolumeRequest;
import dev.mooring.csi.v1.CreateVolumeRequest;
import dev.mooring.csi.v1.DeleteSnapshotRequest;
import dev.mooring.csi.v1.GetSnapshotRequest;
import dev.mooring.csi.v1.GroupControllerGetCapabilitiesRequest;
import dev.mooring.csi.v1.GroupControllerGrpc;
import dev.mooring.csi.v1.NodeExpandVolumeRequest;
import dev.mooring.csi.v1.NodeGetVolumeStatsRequest;
import dev.mooring.csi.v1.NodeGrpc;
import dev.mooring.csi.v1.NodePublishVolumeRequest;
import dev.mooring.csi.v1.NodeServiceCapability;
import dev.mooring.csi.v1.NodeStageVolumeRequest;
import dev.mooring.csi.v1.NodeUnstageVolumeRequest;
import dev.mooring.csi.v1.Volume;
import dev.mooring.csi.v1.VolumeCapability;
import dev.mooring.csi.v1.VolumeContentSource;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** Requests that csi-sanity wants to be refused (semantics/csi §17), by what a driver declares. */
final class RefusedRows {
    private static final Status.Code INVALID = Status.Code.INVALID_ARGUMENT;
    private static final Status.Code MISSING = Status.Code.NOT_FOUND;
    private static final String FAKE = "fake-vol-id";
    private static final long SIZE = 64L << 20;

    private final DriverBench bench;
    private final List<Row<?, ?>> rows = new ArrayList<>();

    private RefusedRows(DriverBench bench) {
        this.bench = bench;
    }

    /**
     * A request and what becomes of it.
     *
     * @param number the row of semantics/csi §17
     */
    record Row<Q extends Message, A extends Message>(
            String number, MethodDescriptor<Q, A> method, Q request, Status.Code code) {
        String name() {
            return number + " " + method.getBareMethodName() + ": " + code;
        }

        DynamicTest test(ServedDriver driver) {
            return DynamicTest.dynamicTest(name(), () -> {
                CsiStatus status = driver.status(method, request);
                assertThat(status.code()).isEqualTo(code);
                assertThat(status.message()).isNotBlank();
            });
        }
    }

    static Stream<DynamicTest> of(DriverBench bench) {
        RefusedRows all = new RefusedRows(bench);
        all.making();
        all.strangers();
        all.attaching();
        all.changing();
        all.snapshots();
        all.undeclared();
        all.staging();
        all.publishing();
        all.measuring();
        return all.rows.stream().map(row -> row.test(bench.driver));
    }

    private <Q extends Message, A extends Message> void row(
            String number, MethodDescriptor<Q, A> method, Q request, Status.Code code) {
        rows.add(new Row<>(number, method, request, code));
    }

    /** A row of an rpc that may not be declared. */
    private <Q extends Message, A extends Message> void row(
            boolean declared, String number, MethodDescriptor<Q, A> method, Q request, Status.Code code) {
        row(number, method, request, declared ? code : Status.Code.UNIMPLEMENTED);
    }

    private boolean can(ControllerServiceCapability.RPC.Type type) {
        return bench.controller.contains(type);
    }

    private void making() {
        boolean makes = bench.makes();
        var listing = ControllerGrpc.getListVolumesMethod();
        row(makes, "C4", listing, CsiRequests.page(0, "invalid-token"), Status.Code.ABORTED);
        row(makes, "C4a", listing, CsiRequests.page(-1, ""), INVALID);
        var creating = ControllerGrpc.getCreateVolumeMethod();
        CreateVolumeRequest whole = bench.create("a", SIZE, SIZE);
        row(makes, "C6", creating, CreateVolumeRequest.getDefaultInstance(), INVALID);
        row(makes, "C7", creating, whole.toBuilder().clearVolumeCapabilities().build(), INVALID);
        row(
                makes,
                "C7a",
                creating,
                whole.toBuilder()
                        .setVolumeCapabilities(0, VolumeCapability.getDefaultInstance())
                        .build(),
                INVALID);
        row(
                makes,
                "C7b raw block",
                creating,
                whole.toBuilder()
                        .setVolumeCapabilities(
                                0, writer().toBuilder().setBlock(VolumeCapability.BlockVolume.getDefaultInstance()))
                        .build(),
                INVALID);
        row(makes, "C11a", creating, bench.create("a", 2, 1), Status.Code.OUT_OF_RANGE);
        row(makes, "C11b", creating, bench.create("a", -1, 0), INVALID);
        row(makes, "C12a", creating, bench.create("n".repeat(129), SIZE, SIZE), INVALID);
        row(makes, "C12b", creating, bench.create("a\u0001", SIZE, SIZE), INVALID);
        row(
                makes,
                "C14",
                creating,
                whole.toBuilder()
                        .setVolumeContentSource(CsiRequests.ofSnapshot("non-existing-snapshot-id"))
                        .build(),
                can(ControllerServiceCapability.RPC.Type.CREATE_DELETE_SNAPSHOT) ? Status.Code.NOT_FOUND : INVALID);
        row(
                makes,
                "C14a a snapshot that was never taken",
                creating,
                whole.toBuilder()
                        .setVolumeContentSource(CsiRequests.ofSnapshot(
                                SnapshotHandle.ofName("never taken").text()))
                        .build(),
                can(ControllerServiceCapability.RPC.Type.CREATE_DELETE_SNAPSHOT) ? Status.Code.NOT_FOUND : INVALID);
        row(
                makes,
                "C16",
                creating,
                whole.toBuilder()
                        .setVolumeContentSource(CsiRequests.ofVolume("fake-vol-id-0123456789"))
                        .build(),
                can(ControllerServiceCapability.RPC.Type.CLONE_VOLUME) ? Status.Code.NOT_FOUND : INVALID);
        row(
                makes,
                "C16a no id",
                creating,
                whole.toBuilder()
                        .setVolumeContentSource(CsiRequests.ofVolume(""))
                        .build(),
                INVALID);
        row(
                makes,
                "C16b no source",
                creating,
                whole.toBuilder()
                        .setVolumeContentSource(VolumeContentSource.getDefaultInstance())
                        .build(),
                INVALID);
        row(
                makes,
                "C17",
                creating,
                whole.toBuilder().putMutableParams("iops", "1").build(),
                INVALID);
        row(
                makes,
                "C17a unknown parameter",
                creating,
                whole.toBuilder().putParameters("colour", "red").build(),
                INVALID);
        if (makes) {
            row("C19", ControllerGrpc.getDeleteVolumeMethod(), CsiRequests.delete(""), INVALID);
        }
        var validating = ControllerGrpc.getValidateVolumeCapabilitiesMethod();
        Volume fake = Volume.newBuilder().setVolumeId(FAKE).build();
        row("C22", validating, CsiRequests.validate(Volume.getDefaultInstance(), writer()), INVALID);
        row("C23", validating, CsiRequests.validate(fake), INVALID);
        row("C25", validating, CsiRequests.validate(fake, writer()), MISSING);
        row(
                "C25a of another driver",
                validating,
                CsiRequests.validate(
                        Volume.newBuilder().setVolumeId("vol-0123456789abcdef0").build(), writer()),
                MISSING);
    }

    /** Ids that are none of ours, whatever they look like. */
    private void strangers() {
        boolean expands = can(ControllerServiceCapability.RPC.Type.EXPAND_VOLUME);
        boolean clones = can(ControllerServiceCapability.RPC.Type.CLONE_VOLUME);
        for (int i = 0; i < AcceptedRows.STRANGE_IDS.size(); i++) {
            String id = AcceptedRows.STRANGE_IDS.get(i);
            Volume strange = Volume.newBuilder().setVolumeId(id).build();
            row(
                    "C25 strange id " + i,
                    ControllerGrpc.getValidateVolumeCapabilitiesMethod(),
                    CsiRequests.validate(strange, writer()),
                    MISSING);
            row(
                    expands,
                    "E2 strange id " + i,
                    ControllerGrpc.getControllerExpandVolumeMethod(),
                    CsiRequests.expand(id, SIZE),
                    MISSING);
            row(
                    bench.attaches(),
                    "C30 strange id " + i,
                    ControllerGrpc.getControllerPublishVolumeMethod(),
                    CsiRequests.attach(strange, "fake-node-id", writer()),
                    MISSING);
            row(
                    bench.makes(),
                    "C16 strange id " + i,
                    ControllerGrpc.getCreateVolumeMethod(),
                    bench.create("a", SIZE, SIZE).toBuilder()
                            .setVolumeContentSource(CsiRequests.ofVolume(id))
                            .build(),
                    clones ? MISSING : INVALID);
            row(
                    bench.stages(),
                    "N12 strange id " + i,
                    NodeGrpc.getNodeStageVolumeMethod(),
                    NodeStageVolumeRequest.newBuilder()
                            .setVolumeId(id)
                            .setStagingTargetPath("/nowhere/staging")
                            .setVolumeCapability(writer())
                            .build(),
                    MISSING);
            row(
                    bench.node.contains(NodeServiceCapability.RPC.Type.GET_VOLUME_STATS),
                    "N17 strange id " + i,
                    NodeGrpc.getNodeGetVolumeStatsMethod(),
                    CsiRequests.measure(id, "/nowhere/target"),
                    MISSING);
        }
    }

    private void attaching() {
        boolean attaches = bench.attaches();
        var method = ControllerGrpc.getControllerPublishVolumeMethod();
        ControllerPublishVolumeRequest whole =
                CsiRequests.attach(Volume.newBuilder().setVolumeId(FAKE).build(), "fake-node-id", writer());
        row(attaches, "C26", method, whole.toBuilder().clearVolumeId().build(), INVALID);
        row(attaches, "C27", method, whole.toBuilder().clearNodeId().build(), INVALID);
        row(attaches, "C28", method, whole.toBuilder().clearVolumeCapability().build(), INVALID);
        row(attaches, "C30", method, whole, MISSING);
        row(
                attaches,
                "C35",
                ControllerGrpc.getControllerUnpublishVolumeMethod(),
                ControllerUnpublishVolumeRequest.getDefaultInstance(),
                INVALID);
    }

    private void changing() {
        boolean expands = can(ControllerServiceCapability.RPC.Type.EXPAND_VOLUME);
        var expanding = ControllerGrpc.getControllerExpandVolumeMethod();
        row(expands, "E1", expanding, CsiRequests.expand("", SIZE), INVALID);
        row(expands, "E2", expanding, ControllerExpandVolumeRequest.getDefaultInstance(), INVALID);
        row(expands, "E2a", expanding, CsiRequests.expand(FAKE, SIZE), MISSING);
        boolean modifies = can(ControllerServiceCapability.RPC.Type.MODIFY_VOLUME);
        var modifying = ControllerGrpc.getControllerModifyVolumeMethod();
        row(modifies, "M1", modifying, ControllerModifyVolumeRequest.getDefaultInstance(), INVALID);
        row(
                modifies,
                "M2",
                modifying,
                ControllerModifyVolumeRequest.newBuilder()
                        .setVolumeId("non-existing-volume-id")
                        .build(),
                MISSING);
    }

    private void snapshots() {
        boolean takes = can(ControllerServiceCapability.RPC.Type.CREATE_DELETE_SNAPSHOT);
        var taking = ControllerGrpc.getCreateSnapshotMethod();
        row(takes, "S14", taking, CsiRequests.take("", "some-volume"), INVALID);
        row(takes, "S15", taking, CsiRequests.take("a", ""), INVALID);
        row(takes, "S15a unknown source", taking, CsiRequests.take("a", "fake-vol-id"), Status.Code.NOT_FOUND);
        row(takes, "S18a", taking, CsiRequests.take("n".repeat(129), "fake-vol-id"), INVALID);
        row(takes, "S18b", taking, CsiRequests.take("a\u0001", "fake-vol-id"), INVALID);
        var destroying = ControllerGrpc.getDeleteSnapshotMethod();
        row(takes, "S11", destroying, DeleteSnapshotRequest.getDefaultInstance(), INVALID);
        var listing = ControllerGrpc.getListSnapshotsMethod();
        row(takes, "S7a", listing, CsiRequests.snapshots(-1, ""), INVALID);
        row(takes, "S7b", listing, CsiRequests.snapshots(0, "invalid-token"), Status.Code.ABORTED);
        row(false, "S8", ControllerGrpc.getGetSnapshotMethod(), GetSnapshotRequest.getDefaultInstance(), INVALID);
    }

    private void undeclared() {
        row(
                false,
                "G1",
                GroupControllerGrpc.getGroupControllerGetCapabilitiesMethod(),
                GroupControllerGetCapabilitiesRequest.getDefaultInstance(),
                INVALID);
    }

    private void staging() {
        boolean stages = bench.stages();
        var method = NodeGrpc.getNodeStageVolumeMethod();
        NodeStageVolumeRequest whole = NodeStageVolumeRequest.newBuilder()
                .setVolumeId(FAKE)
                .setStagingTargetPath("/nowhere/staging")
                .setVolumeCapability(writer())
                .build();
        row(stages, "N10", method, whole.toBuilder().clearVolumeId().build(), INVALID);
        row(stages, "N11", method, whole.toBuilder().clearStagingTargetPath().build(), INVALID);
        row(stages, "N12", method, whole.toBuilder().clearVolumeCapability().build(), INVALID);
        row(stages, "N12a", method, whole, MISSING);
        var unstaging = NodeGrpc.getNodeUnstageVolumeMethod();
        NodeUnstageVolumeRequest unstage = NodeUnstageVolumeRequest.newBuilder()
                .setVolumeId(FAKE)
                .setStagingTargetPath("/nowhere/staging")
                .build();
        row(stages, "N13", unstaging, unstage.toBuilder().clearVolumeId().build(), INVALID);
        row(
                stages,
                "N14",
                unstaging,
                unstage.toBuilder().clearStagingTargetPath().build(),
                INVALID);
    }

    private void publishing() {
        var method = NodeGrpc.getNodePublishVolumeMethod();
        NodePublishVolumeRequest whole = NodePublishVolumeRequest.newBuilder()
                .setVolumeId(FAKE)
                .setTargetPath("/nowhere/target")
                .setStagingTargetPath("/nowhere/staging")
                .setVolumeCapability(writer())
                .build();
        row("N3", method, whole.toBuilder().clearVolumeId().build(), INVALID);
        row("N4", method, whole.toBuilder().clearTargetPath().build(), INVALID);
        row("N5", method, whole.toBuilder().clearVolumeCapability().build(), INVALID);
        row("N5a", method, whole, MISSING);
        row(
                "N5b never made",
                method,
                whole.toBuilder()
                        .setVolumeId(VolumeHandle.ofName("never").text())
                        .putVolumeContext(RecordJson.CONTEXT_KEY, "{}")
                        .build(),
                MISSING);
        row("N5c relative", method, whole.toBuilder().setTargetPath("some/path").build(), INVALID);
        row(
                "N5d ephemeral",
                method,
                whole.toBuilder()
                        .putVolumeContext("csi.storage.k8s.io/ephemeral", "true")
                        .build(),
                INVALID);
        row(
                "N5e a source of another plugin",
                method,
                whole.toBuilder()
                        .setVolumeId("static-disk")
                        .putVolumeContext(RecordJson.SOURCE_KEY, "{\"rbd\":{\"image\":\"a\"}}")
                        .build(),
                INVALID);
        row(
                "N5f no source",
                method,
                whole.toBuilder().setVolumeId("static-disk").build(),
                INVALID);
        var unpublishing = NodeGrpc.getNodeUnpublishVolumeMethod();
        row("N7", unpublishing, CsiRequests.unpublish("", "/nowhere/target"), INVALID);
        row("N8", unpublishing, CsiRequests.unpublish(FAKE, ""), INVALID);
    }

    private void measuring() {
        boolean measures = bench.node.contains(NodeServiceCapability.RPC.Type.GET_VOLUME_STATS);
        var measuring = NodeGrpc.getNodeGetVolumeStatsMethod();
        row(measures, "N15", measuring, NodeGetVolumeStatsRequest.getDefaultInstance(), INVALID);
        row(measures, "N16", measuring, CsiRequests.measure(FAKE, ""), INVALID);
        row(measures, "N17", measuring, CsiRequests.measure(FAKE, "some/path"), MISSING);
        boolean grows = bench.node.contains(NodeServiceCapability.RPC.Type.EXPAND_VOLUME);
        var growing = NodeGrpc.getNodeExpandVolumeMethod();
        row(grows, "N19", growing, NodeExpandVolumeRequest.getDefaultInstance(), INVALID);
        row(grows, "N21", growing, CsiRequests.grow(FAKE, "some/path"), MISSING);
    }
}
