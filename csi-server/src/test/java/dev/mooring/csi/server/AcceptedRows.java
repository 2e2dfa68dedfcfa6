// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import static dev.mooring.csi.server.ServedDriver.mount;
import static dev.mooring.csi.server.ServedDriver.writer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.v1.ControllerGrpc;
import dev.mooring.csi.v1.ControllerServiceCapability.RPC;
import dev.mooring.csi.v1.GetCapacityRequest;
import dev.mooring.csi.v1.ListSnapshotsRequest;
import dev.mooring.csi.v1.NodeGrpc;
import dev.mooring.csi.v1.Volume;
import dev.mooring.csi.v1.VolumeCapability;
import dev.mooring.csi.v1.VolumeCapability.AccessMode.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.function.Executable;

/** Requests about what is not there, and repeated with another wish that is met already: they are done (semantics/csi §16, §17). */
final class AcceptedRows {
    /** No id of ours. Some look like one, some like a path, and some are longer than any id. */
    static final List<String> STRANGE_IDS = List.of(
            "fake-vol-id-0123456789",
            "../../etc/passwd",
            "/",
            "m1-",
            "m2-",
            "m1-" + "f".repeat(39),
            "m1-" + "F".repeat(40),
            "s1-0",
            "n".repeat(128),
            "n".repeat(129),
            "n".repeat(4096),
            "größe / 大",
            "a\u0000b",
            "%2e%2e%2fetc");

    private static final long SIZE = 64L << 20;

    private final DriverBench bench;
    private final List<DynamicTest> rows = new ArrayList<>();

    private AcceptedRows(DriverBench bench) {
        this.bench = bench;
    }

    static Stream<DynamicTest> of(DriverBench bench) {
        AcceptedRows all = new AcceptedRows(bench);
        for (int i = 0; i < STRANGE_IDS.size(); i++) {
            all.ofStrangeId(i, STRANGE_IDS.get(i));
        }
        all.repeated();
        return all.rows.stream();
    }

    private void row(boolean declared, String name, Executable row) {
        if (declared) {
            rows.add(DynamicTest.dynamicTest(name, row));
        }
    }

    private boolean takes() {
        return bench.controller.contains(RPC.Type.CREATE_DELETE_SNAPSHOT);
    }

    private void ofStrangeId(int number, String id) {
        String of = " of the strange id " + number;
        row(
                bench.makes(),
                "C20 DeleteVolume" + of,
                () -> bench.driver.call(ControllerGrpc.getDeleteVolumeMethod(), CsiRequests.delete(id)));
        row(
                bench.attaches(),
                "C35 ControllerUnpublishVolume" + of,
                () -> bench.driver.call(
                        ControllerGrpc.getControllerUnpublishVolumeMethod(),
                        CsiRequests.detach(id, ServedDriver.NODE_ID)));
        row(
                true,
                "N9 NodeUnpublishVolume" + of,
                () -> bench.driver.call(
                        NodeGrpc.getNodeUnpublishVolumeMethod(),
                        CsiRequests.unpublish(id, bench.target("none").toString())));
        row(
                bench.stages(),
                "N14 NodeUnstageVolume" + of,
                () -> bench.driver.call(
                        NodeGrpc.getNodeUnstageVolumeMethod(), CsiRequests.unstage(id, bench.target("none"))));
        row(
                takes(),
                "S12 DeleteSnapshot" + of,
                () -> bench.driver.call(ControllerGrpc.getDeleteSnapshotMethod(), CsiRequests.destroy(id)));
        row(
                takes(),
                "S3 ListSnapshots" + of,
                () -> assertThat(bench.driver
                                .call(
                                        ControllerGrpc.getListSnapshotsMethod(),
                                        ListSnapshotsRequest.newBuilder()
                                                .setSnapshotId(id)
                                                .build())
                                .getEntriesList())
                        .isEmpty());
    }

    private void repeated() {
        row(
                bench.controller.contains(RPC.Type.GET_CAPACITY),
                "C2 GetCapacity of anything",
                () -> assertThat(bench.driver
                                .call(ControllerGrpc.getGetCapacityMethod(), GetCapacityRequest.getDefaultInstance())
                                .getAvailableCapacity())
                        .isNotNegative());
        row(bench.makes(), "C9 CreateVolume again, of a size that the volume has", () -> {
            Volume made = bench.make(bench.create("sized", SIZE, 0));
            for (CapacityOf wish :
                    List.of(new CapacityOf(SIZE / 2, 0), new CapacityOf(0, 0), new CapacityOf(1, 2 * SIZE))) {
                assertThat(bench.make(bench.create("sized", wish.least(), wish.most())))
                        .isEqualTo(made);
            }
        });
        row(true, "C24 ValidateVolumeCapabilities of what the driver cannot do", () -> {
            Volume volume = bench.volume(1);
            var answer = bench.driver.call(
                    ControllerGrpc.getValidateVolumeCapabilitiesMethod(),
                    CsiRequests.validate(volume, writer(), mount(Mode.UNKNOWN)));
            assertThat(answer.hasConfirmed()).isFalse();
            assertThat(answer.getMessage()).isNotBlank();
            var neither = bench.driver.call(
                    ControllerGrpc.getValidateVolumeCapabilitiesMethod(),
                    CsiRequests.validate(volume, VolumeCapability.getDefaultInstance()));
            assertThat(neither.hasConfirmed()).isFalse();
        });
    }

    /** A range of sizes. */
    private record CapacityOf(long least, long most) {}
}
