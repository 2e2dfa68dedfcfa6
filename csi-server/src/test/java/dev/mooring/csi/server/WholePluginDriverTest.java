// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import static dev.mooring.csi.server.ServedDriver.mount;
import static dev.mooring.csi.server.ServedDriver.writer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.CsiStatus;
import dev.mooring.csi.MessageText;
import dev.mooring.csi.v1.ControllerGetVolumeRequest;
import dev.mooring.csi.v1.ControllerGrpc;
import dev.mooring.csi.v1.ControllerModifyVolumeRequest;
import dev.mooring.csi.v1.ControllerUnpublishVolumeRequest;
import dev.mooring.csi.v1.DeleteVolumeRequest;
import dev.mooring.csi.v1.NodeGrpc;
import dev.mooring.csi.v1.NodeStageVolumeRequest;
import dev.mooring.csi.v1.Volume;
import dev.mooring.csi.v1.VolumeCapability;
import dev.mooring.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rows of semantics/csi §17 that hostPath does not promise, and what a plugin's answers become. */
class WholePluginDriverTest extends ServedWholePlugin {
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
            assertThat(records).noneMatch(WholePluginDriverTest::isRecord);
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
                CsiRequests.detach(volume.getVolumeId(), ServedDriver.NODE_ID));
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
                CsiRequests.detach(volume.getVolumeId(), ServedDriver.NODE_ID));
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
            assertThat(records.filter(WholePluginDriverTest::isRecord))
                    .isNotEmpty()
                    .allSatisfy(record ->
                            assertThat(record).content().contains("STAGED").doesNotContain(SECRET));
        }
    }

    private static boolean isRecord(Path file) {
        return file.toString().endsWith(".json");
    }
}
