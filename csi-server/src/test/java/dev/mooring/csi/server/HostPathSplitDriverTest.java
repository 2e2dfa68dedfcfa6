// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import static dev.mooring.csi.server.ServedDriver.writer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.v1.ControllerGrpc;
import dev.mooring.csi.v1.NodeGetInfoRequest;
import dev.mooring.csi.v1.NodeGrpc;
import dev.mooring.csi.v1.Volume;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** The plugin for hostPath as two processes that share no record: what the node needs comes with the calls. */
class HostPathSplitDriverTest extends SnapshotDriverSuite {
    @Override
    DriverSubject subject() {
        return new HostPathSubject();
    }

    @Override
    boolean split() {
        return true;
    }

    @Test
    void eachServesItsOwnServiceOnly() throws IOException {
        Volume volume = bench.volume(1);
        bench.use(volume, bench.target("one"), writer());
        assertThat(bench.records("made")).hasSize(1);
        assertThat(bench.records("records")).hasSize(1);
        Files.writeString(bench.target("one").resolve("file"), "kept");
        assertThat(bench.directory.resolve("root/v/pvc-1/file")).hasContent("kept");
        try (ServedDriver controller = ServedDriver.alone(bench, true)) {
            assertThat(controller.code(NodeGrpc.getNodeGetInfoMethod(), NodeGetInfoRequest.getDefaultInstance()))
                    .isEqualTo(Status.Code.UNIMPLEMENTED);
        }
        try (ServedDriver node = ServedDriver.alone(bench, false)) {
            assertThat(node.code(ControllerGrpc.getDeleteVolumeMethod(), CsiRequests.delete(volume.getVolumeId())))
                    .isEqualTo(Status.Code.UNIMPLEMENTED);
        }
    }

    /** A node that was given nothing but the id, such as by a PersistentVolume that a user has written again. */
    @Test
    void aNodeThatIsNotToldWhatTheVolumeIsDoesNotGuess() throws IOException {
        Volume volume = bench.volume(1);
        Volume untold = volume.toBuilder().clearVolumeContext().build();
        assertThat(driver.code(
                        NodeGrpc.getNodePublishVolumeMethod(),
                        bench.publishRequest(untold, bench.target("one"), writer())))
                .isEqualTo(Status.Code.NOT_FOUND);
    }
}
