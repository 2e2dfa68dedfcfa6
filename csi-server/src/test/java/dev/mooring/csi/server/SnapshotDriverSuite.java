// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.v1.ControllerGrpc;
import dev.mooring.csi.v1.ControllerServiceCapability;
import dev.mooring.csi.v1.CreateVolumeRequest;
import dev.mooring.csi.v1.ListSnapshotsRequest;
import dev.mooring.csi.v1.ListSnapshotsResponse;
import dev.mooring.csi.v1.Snapshot;
import dev.mooring.csi.v1.Volume;
import dev.mooring.csi.v1.VolumeContentSource;
import io.grpc.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rows of csi-sanity about snapshots and clones (semantics/csi §17), for drivers of plugins that have them. */
abstract class SnapshotDriverSuite extends DriverSuite {
    private static final long SIZE = 64L << 20;

    private Snapshot take(String name, Volume source) {
        return driver.call(ControllerGrpc.getCreateSnapshotMethod(), CsiRequests.take(name, source.getVolumeId()))
                .getSnapshot();
    }

    private void destroy(String id) {
        driver.call(ControllerGrpc.getDeleteSnapshotMethod(), CsiRequests.destroy(id));
    }

    private List<Snapshot> listed(ListSnapshotsRequest request) {
        return driver.call(ControllerGrpc.getListSnapshotsMethod(), request).getEntriesList().stream()
                .map(ListSnapshotsResponse.Entry::getSnapshot)
                .toList();
    }

    private List<Snapshot> listed() {
        return listed(ListSnapshotsRequest.getDefaultInstance());
    }

    private CreateVolumeRequest from(VolumeContentSource source, String name, long least, long most) {
        return bench.create(name, least, most).toBuilder()
                .setVolumeContentSource(source)
                .build();
    }

    @Test
    void snapshotsAndClonesAreDeclared() {
        assertThat(bench.controller)
                .contains(
                        ControllerServiceCapability.RPC.Type.CREATE_DELETE_SNAPSHOT,
                        ControllerServiceCapability.RPC.Type.LIST_SNAPSHOTS,
                        ControllerServiceCapability.RPC.Type.CLONE_VOLUME);
    }

    @Test
    void s1ToS6ListSnapshotsAtOnce() {
        assertThat(listed()).isEmpty();
        Volume one = bench.volume(1);
        Volume two = bench.volume(2);
        Snapshot first = take("first", one);
        Snapshot second = take("second", two);
        assertThat(listed()).containsExactlyInAnyOrder(first, second);
        assertThat(listed()).allSatisfy(each -> assertThat(each.getSnapshotId()).isNotEmpty());
        assertThat(first.getSourceVolumeId()).isEqualTo(one.getVolumeId());
        assertThat(first.hasCreationTime()).isTrue();
        assertThat(first.getReadyToUse()).isTrue();
        assertThat(first.getSizeBytes()).isEqualTo(one.getCapacityBytes());
        ListSnapshotsRequest all = ListSnapshotsRequest.getDefaultInstance();
        assertThat(listed(all.toBuilder().setSnapshotId(first.getSnapshotId()).build()))
                .containsExactly(first);
        assertThat(listed(all.toBuilder().setSnapshotId("none-exist-id").build()))
                .isEmpty();
        assertThat(listed(all.toBuilder().setSourceVolumeId(two.getVolumeId()).build()))
                .containsExactly(second);
        assertThat(listed(all.toBuilder().setSourceVolumeId("none-exist-id").build()))
                .isEmpty();
        destroy(first.getSnapshotId());
        assertThat(listed()).containsExactly(second);
        destroy(second.getSnapshotId());
        assertThat(listed()).isEmpty();
    }

    @Test
    void s7ListsPages() {
        Volume source = bench.volume(1);
        List<String> taken = Stream.of("a", "b", "c", "d", "e")
                .map(name -> take(name, source).getSnapshotId())
                .toList();
        ListSnapshotsResponse first =
                driver.call(ControllerGrpc.getListSnapshotsMethod(), CsiRequests.snapshots(2, ""));
        assertThat(first.getEntriesList()).hasSize(2);
        destroy(first.getEntries(1).getSnapshot().getSnapshotId());
        ListSnapshotsResponse second =
                driver.call(ControllerGrpc.getListSnapshotsMethod(), CsiRequests.snapshots(2, first.getNextToken()));
        assertThat(second.getEntriesList()).hasSize(2).doesNotContainAnyElementsOf(first.getEntriesList());
        ListSnapshotsResponse third =
                driver.call(ControllerGrpc.getListSnapshotsMethod(), CsiRequests.snapshots(2, second.getNextToken()));
        assertThat(third.getEntriesList()).hasSize(1);
        assertThat(third.getNextToken()).isEmpty();
        taken.forEach(this::destroy);
    }

    @Test
    void s12AndS13DestroyWhatIsThereAndWhatIsNot() {
        for (String id : List.of(
                "reallyfakesnapshotid", SnapshotHandle.ofName("never taken").text())) {
            destroy(id);
        }
        Snapshot taken = take("a", bench.volume(1));
        for (int i = 0; i < 3; i++) {
            destroy(taken.getSnapshotId());
        }
        assertThat(listed()).isEmpty();
    }

    @Test
    void s16ToS18TakeOneSnapshotForAName() {
        Volume source = bench.volume(1);
        Snapshot first = take("a", source);
        for (int i = 0; i < 10; i++) {
            assertThat(take("a", source)).isEqualTo(first);
        }
        assertThat(driver.code(
                        ControllerGrpc.getCreateSnapshotMethod(),
                        CsiRequests.take("a", bench.volume(2).getVolumeId())))
                .isEqualTo(Status.Code.ALREADY_EXISTS);
        Snapshot longest = take("n".repeat(128), source);
        Snapshot strange = take("größe / 大", source);
        assertThat(longest.getSnapshotId().getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(128);
        assertThat(strange.getSnapshotId()).isNotEqualTo(longest.getSnapshotId());
        for (Snapshot each : List.of(first, longest, strange)) {
            destroy(each.getSnapshotId());
        }
    }

    @Test
    void aRestartedDriverKnowsWhatItTook() throws IOException {
        Volume source = bench.volume(1);
        Snapshot taken = take("a", source);
        driver.restart();
        assertThat(take("a", source)).isEqualTo(taken);
        assertThat(listed()).containsExactly(taken);
        destroy(taken.getSnapshotId());
    }

    @Test
    void c13RestoresASnapshot() throws IOException {
        Volume source = bench.make(bench.create("pvc-1", SIZE, 0));
        Path target = bench.target("one");
        bench.use(source, target, ServedDriver.writer());
        Files.writeString(target.resolve("file"), "monday");
        Snapshot taken = take("a", source);
        Files.writeString(target.resolve("file"), "tuesday");
        bench.leave(source);

        VolumeContentSource content = CsiRequests.ofSnapshot(taken.getSnapshotId());
        Volume restored = bench.make(from(content, "restored", SIZE, 0));
        assertThat(restored.getContentSource()).isEqualTo(content);
        assertThat(restored.getCapacityBytes()).isGreaterThanOrEqualTo(SIZE);
        assertThat(bench.make(from(content, "restored", SIZE, 0))).isEqualTo(restored);
        assertThat(driver.code(ControllerGrpc.getCreateVolumeMethod(), bench.create("restored", SIZE, 0)))
                .as("the same name, but empty")
                .isEqualTo(Status.Code.ALREADY_EXISTS);
        assertThat(driver.code(ControllerGrpc.getCreateVolumeMethod(), from(content, "small", SIZE / 2, 0)))
                .isEqualTo(Status.Code.OUT_OF_RANGE);
        assertThat(driver.code(ControllerGrpc.getCreateVolumeMethod(), from(content, "small", 0, SIZE / 2)))
                .isEqualTo(Status.Code.OUT_OF_RANGE);
        assertThat(bench.make(from(content, "any-size", 0, 0)).getCapacityBytes())
                .isEqualTo(taken.getSizeBytes());
        destroy(taken.getSnapshotId());
        assertThat(bench.make(from(content, "restored", SIZE, 0))).isEqualTo(restored);
        Path other = bench.target("two");
        bench.use(restored, other, ServedDriver.writer());
        assertThat(other.resolve("file")).hasContent("monday");
        bench.unpublish(restored, other);
    }

    @Test
    void c15ClonesAVolume() throws IOException {
        Volume source = bench.make(bench.create("pvc-1", SIZE, 0));
        Path target = bench.target("one");
        bench.use(source, target, ServedDriver.writer());
        Files.writeString(target.resolve("file"), "monday");

        VolumeContentSource content = CsiRequests.ofVolume(source.getVolumeId());
        Volume clone = bench.make(from(content, "clone", SIZE, 0));
        assertThat(clone.getContentSource()).isEqualTo(content);
        assertThat(clone.getVolumeId()).isNotEqualTo(source.getVolumeId());
        assertThat(driver.code(ControllerGrpc.getCreateVolumeMethod(), from(content, "small", 1, 0)))
                .isEqualTo(Status.Code.OUT_OF_RANGE);
        bench.leave(source);
        assertThat(bench.make(from(content, "clone", SIZE, 0))).isEqualTo(clone);
        assertThat(driver.code(ControllerGrpc.getCreateVolumeMethod(), from(content, "late", SIZE, 0)))
                .isEqualTo(Status.Code.NOT_FOUND);
        Path other = bench.target("two");
        bench.use(clone, other, ServedDriver.writer());
        assertThat(other.resolve("file")).hasContent("monday");
        bench.unpublish(clone, other);
    }
}
