// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import static dev.mooring.csi.server.ServedDriver.writer;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import dev.mooring.csi.v1.ControllerGrpc;
import dev.mooring.csi.v1.NodeGrpc;
import dev.mooring.csi.v1.Volume;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The plugin for NFS as a driver, controller and node in two processes, with the kernel's own server. */
@Tag("guest")
class NfsDriverTest extends DriverSuite {
    private static final String SHARE = "/srv/nfs";
    /** Far longer than a call takes; a call that hangs does not end in it. */
    private static final long NO_HANG_SECONDS = 120;

    @Override
    DriverSubject subject() {
        return new Server();
    }

    @Override
    boolean split() {
        return true;
    }

    private static final class Server implements DriverSubject {
        @Override
        public String plugin() {
            return "kubernetes.io/nfs";
        }

        @Override
        public void start(Path directory) {
            GuestServices.need();
            GuestServices.service("nfs-start", SHARE);
        }

        @Override
        public Map<String, String> parameters() {
            return Map.of("server", "127.0.0.1", "share", SHARE);
        }
    }

    @Test
    void aVolumeIsADirectoryOfTheShareAndItsIdTellsWhich() throws IOException {
        Volume volume = bench.volume(1);
        assertThat(volume.getVolumeId()).startsWith("m2-").hasSizeLessThanOrEqualTo(128);
        bench.use(volume, bench.target("one"), writer());
        Files.writeString(bench.target("one").resolve("file"), "kept");
        try (var files = Files.walk(Path.of(SHARE))) {
            assertThat(files).anyMatch(file -> file.endsWith("file"));
        }
    }

    /** Nothing hangs: each call has an answer that does not say that something is done, or the caller's deadline. */
    @Test
    void aServerThatDoesNotAnswerIsNoHang() throws Exception {
        Volume volume = bench.volume(1);
        Path target = bench.target("one");
        bench.use(volume, target, writer());
        GuestServices.service("nfs-stop");
        try {
            assertThat(ended(ControllerGrpc.getCreateVolumeMethod(), bench.create("pvc-2", 0, 0)))
                    .isIn(Status.Code.UNAVAILABLE, Status.Code.ABORTED, Status.Code.DEADLINE_EXCEEDED);
            assertThat(ended(
                            NodeGrpc.getNodePublishVolumeMethod(),
                            bench.publishRequest(volume, bench.target("two"), writer())))
                    .isIn(Status.Code.UNAVAILABLE, Status.Code.ABORTED, Status.Code.DEADLINE_EXCEEDED);
            assertThat(ended(
                            NodeGrpc.getNodeGetVolumeStatsMethod(),
                            CsiRequests.measure(volume.getVolumeId(), target.toString())))
                    .isIn(Status.Code.UNAVAILABLE, Status.Code.DEADLINE_EXCEEDED);
        } finally {
            GuestServices.service("nfs-start", SHARE);
        }
        bench.use(volume, bench.target("two"), writer());
        bench.make(bench.create("pvc-2", 0, 0));
    }

    private <Q extends Message, A extends Message> Status.Code ended(MethodDescriptor<Q, A> method, Q request)
            throws Exception {
        return CompletableFuture.supplyAsync(() -> driver.status(method, request, Duration.ofSeconds(20)))
                .get(NO_HANG_SECONDS, TimeUnit.SECONDS)
                .code();
    }
}
