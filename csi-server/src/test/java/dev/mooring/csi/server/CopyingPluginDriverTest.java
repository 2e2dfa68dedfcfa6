// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import static dev.mooring.csi.server.ServedDriver.writer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.csi.CsiStatus;
import dev.mooring.csi.v1.ControllerGrpc;
import dev.mooring.csi.v1.CreateSnapshotRequest;
import dev.mooring.csi.v1.CreateVolumeRequest;
import dev.mooring.csi.v1.GetCapacityRequest;
import dev.mooring.csi.v1.GetCapacityResponse;
import dev.mooring.csi.v1.ListSnapshotsRequest;
import dev.mooring.csi.v1.NodeGetCapabilitiesRequest;
import dev.mooring.csi.v1.NodeGrpc;
import dev.mooring.csi.v1.NodeServiceCapability;
import dev.mooring.csi.v1.Snapshot;
import dev.mooring.csi.v1.Volume;
import dev.mooring.csi.v1.VolumeCapability;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots, clones, free space and groups of a plugin in memory, with answers that get lost. */
class CopyingPluginDriverTest {
    @TempDir
    Path directory;

    private final CopyingPlugin plugin = new CopyingPlugin();
    private ServedDriver driver;

    @BeforeEach
    void serve() throws IOException {
        Optional<LinuxHost> machine = LinuxHost.ofThisMachine(LinuxHostLayout.below(directory.resolve("kubelet")));
        assumeTrue(machine.isPresent(), "needs Linux on x86_64 or aarch64");
        driver = new ServedDriver(plugin, machine.get(), directory);
    }

    @AfterEach
    void end() {
        if (driver != null) {
            driver.close();
        }
    }

    private static CreateVolumeRequest create(String name) {
        return CsiRequests.create(name, 1 << 20, 0, writer());
    }

    private Volume make(String name) {
        return driver.call(ControllerGrpc.getCreateVolumeMethod(), create(name)).getVolume();
    }

    private static CreateSnapshotRequest take(String name, Volume source) {
        return CsiRequests.take(name, source.getVolumeId()).toBuilder()
                .putParameters("kind", "thin")
                .putParameters("csi.storage.k8s.io/volumesnapshot/name", "monday")
                .build();
    }

    private Snapshot taken(String name, Volume source) {
        return driver.call(ControllerGrpc.getCreateSnapshotMethod(), take(name, source))
                .getSnapshot();
    }

    private void destroy(String id) {
        driver.call(ControllerGrpc.getDeleteSnapshotMethod(), CsiRequests.destroy(id));
    }

    private Status.Code deletion(Volume volume) {
        return driver.code(ControllerGrpc.getDeleteVolumeMethod(), CsiRequests.delete(volume.getVolumeId()));
    }

    private List<Snapshot> listed(String id) {
        return driver
                .call(
                        ControllerGrpc.getListSnapshotsMethod(),
                        ListSnapshotsRequest.newBuilder().setSnapshotId(id).build())
                .getEntriesList()
                .stream()
                .map(entry -> entry.getSnapshot())
                .toList();
    }

    private void forgetRecords() throws IOException {
        try (Stream<Path> all = Files.walk(directory.resolve("records"))) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    @Test
    void anIdHoldsWhatTheSnapshotIsSoThatAControllerWithoutRecordsServesIt() throws IOException {
        Snapshot snapshot = taken("snapshot-0b3c8a54-1111-4222-8333-94a5b6c7d8e9", make("a"));
        assertThat(snapshot.getSnapshotId()).startsWith("s2-").hasSizeLessThanOrEqualTo(128);
        forgetRecords();

        assertThat(listed(snapshot.getSnapshotId()))
                .extracting(Snapshot::getSnapshotId)
                .containsExactly(snapshot.getSnapshotId());
        driver.call(
                ControllerGrpc.getCreateVolumeMethod(),
                create("b").toBuilder()
                        .setVolumeContentSource(CsiRequests.ofSnapshot(snapshot.getSnapshotId()))
                        .build());
        destroy(snapshot.getSnapshotId());
        assertThat(plugin.calls)
                .contains(
                        "restore b from @snapshot-0b3c8a54-1111-4222-8333-94a5b6c7d8e9",
                        "destroy @snapshot-0b3c8a54-1111-4222-8333-94a5b6c7d8e9 {kept={kind=thin}}");
    }

    @Test
    void aSnapshotThatIsNotReadyIsAskedForAgainAndMakesNoVolumeMeanwhile() {
        Volume source = make("a");
        plugin.ready = false;
        Snapshot early = taken("one", source);
        assertThat(early.getReadyToUse()).isFalse();
        assertThat(early.hasCreationTime()).isTrue();
        assertThat(driver.code(
                        ControllerGrpc.getCreateVolumeMethod(),
                        create("b").toBuilder()
                                .setVolumeContentSource(CsiRequests.ofSnapshot(early.getSnapshotId()))
                                .build()))
                .isEqualTo(Status.Code.UNAVAILABLE);
        plugin.ready = true;
        assertThat(listed(early.getSnapshotId()))
                .allMatch(Snapshot::getReadyToUse)
                .hasSize(1);
        Snapshot late = taken("one", source);
        assertThat(late).isEqualTo(early.toBuilder().setReadyToUse(true).build());
    }

    @Test
    void aSnapshotThatIsNotReadyOutlivesItsVolume() {
        Volume source = make("a");
        plugin.ready = false;
        Snapshot early = taken("one", source);
        driver.call(ControllerGrpc.getDeleteVolumeMethod(), CsiRequests.delete(source.getVolumeId()));
        plugin.sourceGone = true;
        assertThat(taken("one", source)).isEqualTo(early);
        plugin.ready = true;
        assertThat(taken("one", source))
                .isEqualTo(early.toBuilder().setReadyToUse(true).build());
        assertThat(driver.code(ControllerGrpc.getCreateSnapshotMethod(), take("two", source)))
                .isEqualTo(Status.Code.NOT_FOUND);
    }

    @Test
    void aVolumeStaysAsLongAsItIsNotKnownWhetherItsSnapshotExists() throws IOException {
        plugin.particular = true;
        Volume source = make("a");
        plugin.faults = outcome -> Outcome.uncertain("the answer was lost");
        assertThat(driver.code(ControllerGrpc.getCreateSnapshotMethod(), take("one", source)))
                .isEqualTo(Status.Code.ABORTED);
        plugin.faults = outcome -> outcome;
        assertThat(deletion(source)).isEqualTo(Status.Code.FAILED_PRECONDITION);
        driver.restart();
        assertThat(deletion(source)).isEqualTo(Status.Code.FAILED_PRECONDITION);
        plugin.calls.clear();
        destroy(SnapshotHandle.ofName("one").text());
        assertThat(plugin.calls).containsExactly("take one of a", "destroy @one {kept={kind=thin}}");
        driver.call(ControllerGrpc.getDeleteVolumeMethod(), CsiRequests.delete(source.getVolumeId()));
    }

    @Test
    void aSecretForLookingForASnapshotIsInNoMessage() {
        plugin.ready = false;
        Snapshot early = taken("one", make("a"));
        plugin.faults = outcome -> Outcome.refused(Refusal.DENIED, "no login with planted-password");
        CsiStatus refused = driver.status(
                ControllerGrpc.getListSnapshotsMethod(),
                ListSnapshotsRequest.newBuilder()
                        .setSnapshotId(early.getSnapshotId())
                        .putSecrets("password", "planted-password")
                        .build());
        assertThat(refused.message()).contains("no login with").doesNotContain("planted-password");
    }

    @Test
    void aRefusedSnapshotIsForgotten() {
        Volume source = make("a");
        plugin.faults = outcome -> Outcome.refused(Refusal.EXHAUSTED, "no space");
        assertThat(driver.code(ControllerGrpc.getCreateSnapshotMethod(), take("one", source)))
                .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        plugin.faults = outcome -> outcome;
        driver.call(ControllerGrpc.getDeleteVolumeMethod(), CsiRequests.delete(source.getVolumeId()));
    }

    @Test
    void whatIsReadIsNotDestroyedMeanwhileAndCanBeUsed() throws Exception {
        Volume source = make("a");
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
        var first = driver.start(ControllerGrpc.getCreateSnapshotMethod(), take("one", source));
        entered.await();
        plugin.faults = outcome -> outcome;
        assertThat(driver.code(ControllerGrpc.getCreateSnapshotMethod(), take("one", source)))
                .isEqualTo(Status.Code.ABORTED);
        assertThat(deletion(source)).isEqualTo(Status.Code.ABORTED);
        taken("another", source);
        driver.call(
                ControllerGrpc.getControllerPublishVolumeMethod(),
                CsiRequests.attach(source, ServedDriver.NODE_ID, writer()));
        leave.countDown();
        assertThat(first.await().getSnapshot()).isEqualTo(taken("one", source));
    }

    @Test
    void aCloneIsMadeOnce() {
        Volume source = make("a");
        CreateVolumeRequest request = create("b").toBuilder()
                .setVolumeContentSource(CsiRequests.ofVolume(source.getVolumeId()))
                .build();
        Volume clone =
                driver.call(ControllerGrpc.getCreateVolumeMethod(), request).getVolume();
        assertThat(driver.call(ControllerGrpc.getCreateVolumeMethod(), request).getVolume())
                .isEqualTo(clone);
        assertThat(plugin.calls).containsExactly("provision a", "clone a as b");
    }

    @Test
    void thePluginSaysHowMuchSpaceIsLeft() {
        GetCapacityResponse space = driver.call(
                ControllerGrpc.getGetCapacityMethod(),
                GetCapacityRequest.newBuilder()
                        .putParameters("pool", "fast")
                        .putParameters("csi.storage.k8s.io/fstype", "xfs")
                        .build());
        assertThat(space.getAvailableCapacity()).isEqualTo(100L << 30);
        assertThat(space.getMaximumVolumeSize().getValue()).isEqualTo(1L << 30);
        assertThat(plugin.calls).containsExactly("space {pool=fast} {}");
        plugin.faults = outcome -> Outcome.refused(Refusal.UNSUPPORTED, "it cannot be said");
        assertThat(driver.call(ControllerGrpc.getGetCapacityMethod(), GetCapacityRequest.getDefaultInstance())
                        .getAvailableCapacity())
                .isZero();
    }

    @Test
    void theGroupOfAPodReachesThePlugin() throws IOException {
        assertThat(driver.call(NodeGrpc.getNodeGetCapabilitiesMethod(), NodeGetCapabilitiesRequest.getDefaultInstance())
                        .getCapabilitiesList())
                .extracting(each -> each.getRpc().getType())
                .contains(NodeServiceCapability.RPC.Type.VOLUME_MOUNT_GROUP);
        Volume volume = make("a");
        Path staging = Files.createDirectory(directory.resolve("staging"));
        driver.call(NodeGrpc.getNodeStageVolumeMethod(), CsiRequests.stage(volume, staging, group("1000"), Map.of()));
        driver.call(
                NodeGrpc.getNodePublishVolumeMethod(),
                CsiRequests.publish(volume, directory.resolve("target"), group("1000")).toBuilder()
                        .setStagingTargetPath(staging.toString())
                        .build());
        assertThat(plugin.calls).contains("publish for group 1000");
        Path largest = Files.createDirectory(directory.resolve("largest"));
        driver.call(
                NodeGrpc.getNodeStageVolumeMethod(),
                CsiRequests.stage(make("b"), largest, group("2147483647"), Map.of()));
        for (String odd : List.of("staff", "-1", "2147483648", "99999999999")) {
            assertThat(driver.code(
                            NodeGrpc.getNodeStageVolumeMethod(),
                            CsiRequests.stage(volume, staging, group(odd), Map.of())))
                    .as(odd)
                    .isEqualTo(Status.Code.INVALID_ARGUMENT);
        }
    }

    private static VolumeCapability group(String group) {
        return writer().toBuilder()
                .setMount(VolumeCapability.MountVolume.newBuilder().setVolumeMountGroup(group))
                .build();
    }
}
