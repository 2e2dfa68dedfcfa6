// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import static dev.mooring.csi.server.ServedDriver.writer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.v1.ControllerGrpc;
import dev.mooring.csi.v1.ListVolumesRequest;
import dev.mooring.csi.v1.NodeGrpc;
import dev.mooring.csi.v1.Volume;
import io.grpc.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A driver whose disk is full: the volumes', or that of its own records. */
class FullDiskTest {
    private final SmallDisks disks = new SmallDisks();
    private DriverBench bench;

    /** Directories on file systems that take few files. */
    private static final class SmallDisks implements DriverSubject {
        private Path root = Path.of("");
        private Path records = Path.of("");

        @Override
        public String plugin() {
            return "kubernetes.io/host-path";
        }

        @Override
        public void start(Path directory) {
            root = disk(directory.resolve("root"));
            records = disk(directory.resolve("records"));
        }

        private static Path disk(Path place) {
            try {
                Files.createDirectory(place);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            GuestServices.tool(
                    "mount", "-t", "tmpfs", "-o", "size=256k,nr_inodes=40,mode=0755", "tmpfs", place.toString());
            return place;
        }

        @Override
        public void end() {
            GuestServices.tool("umount", root.toString());
            GuestServices.tool("umount", records.toString());
        }

        @Override
        public Map<String, String> settings(Path directory) {
            return Map.of("root", root.toString());
        }
    }

    @BeforeEach
    void serve() throws IOException {
        bench = new DriverBench(disks, false);
    }

    @AfterEach
    void end() throws IOException {
        if (bench != null) {
            bench.close();
        }
    }

    /** Takes all space and all names. */
    private static void fill(Path place) throws IOException {
        Path full = Files.createDirectories(place.resolve("full"));
        try {
            Files.write(full.resolve("bytes"), new byte[1 << 20]);
        } catch (IOException e) {
            // It is full.
        }
        try {
            for (int i = 0; i < 100; i++) {
                Files.createFile(full.resolve("name-" + i));
            }
        } catch (IOException e) {
            return;
        }
        throw new AssertionError(place + " takes more than it should");
    }

    private static void empty(Path place) throws IOException {
        try (var files = Files.list(place.resolve("full"))) {
            for (Path each : files.toList()) {
                Files.delete(each);
            }
        }
        Files.delete(place.resolve("full"));
    }

    @Test
    void aFullDiskOfVolumesIsSaidAndNothingIsLeft() throws IOException {
        bench.volume(1);
        fill(disks.root);
        assertThat(bench.driver.code(ControllerGrpc.getCreateVolumeMethod(), bench.create("pvc-2", 0, 0)))
                .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        empty(disks.root);
        bench.volume(2);
    }

    /** Space is free again only when the volume has gone. */
    @Test
    void aVolumeOnAFullDiskOfVolumesIsDeletedAtOnce() throws IOException {
        Volume volume = bench.volume(1);
        fill(disks.root);
        bench.driver.call(ControllerGrpc.getDeleteVolumeMethod(), CsiRequests.delete(volume.getVolumeId()));
        assertThat(disks.root.resolve("v")).isEmptyDirectory();
        assertThat(disks.root.resolve("t")).isEmptyDirectory();
        assertThat(disks.root.resolve("r")).isEmptyDirectory();
    }

    @Test
    void whatCannotBeRecordedIsNotBegun() throws IOException {
        Volume volume = bench.volume(1);
        fill(disks.records);
        assertThat(bench.driver.code(ControllerGrpc.getCreateVolumeMethod(), bench.create("pvc-2", 0, 0)))
                .isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(disks.root.resolve("v/pvc-2")).doesNotExist();
        assertThat(bench.driver.code(
                        NodeGrpc.getNodePublishVolumeMethod(),
                        bench.publishRequest(volume, bench.target("one"), writer())))
                .isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(DriverBench.mounts(bench.target("one"))).isZero();
        empty(disks.records);
        bench.use(volume, bench.target("one"), writer());
    }

    /** Space is free again only when the volume that took it is not used any more, and gone. */
    @Test
    void whatHasBegunEndsAlsoWhereNothingCanBeWrittenAnyMore() throws IOException {
        Volume volume = bench.volume(1);
        bench.use(volume, bench.target("one"), writer());
        bench.use(volume, bench.target("two"), writer());
        Files.write(bench.target("one").resolve("file"), new byte[1]);
        fill(disks.records);
        for (String target : List.of("one", "two")) {
            bench.driver.call(
                    NodeGrpc.getNodeUnpublishVolumeMethod(),
                    CsiRequests.unpublish(
                            volume.getVolumeId(), bench.target(target).toString()));
            assertThat(bench.target(target)).doesNotExist();
        }
        bench.driver.call(ControllerGrpc.getDeleteVolumeMethod(), CsiRequests.delete(volume.getVolumeId()));
        assertThat(disks.root.resolve("v")).isEmptyDirectory();
        assertThat(bench.driver
                        .call(ControllerGrpc.getListVolumesMethod(), ListVolumesRequest.getDefaultInstance())
                        .getEntriesCount())
                .isZero();
    }
}
