// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.v1.ControllerGetCapabilitiesRequest;
import dev.mooring.csi.v1.ControllerGrpc;
import dev.mooring.csi.v1.CreateVolumeResponse;
import dev.mooring.csi.v1.IdentityGrpc;
import dev.mooring.csi.v1.NodeGetCapabilitiesRequest;
import dev.mooring.csi.v1.NodeGetVolumeStatsResponse;
import dev.mooring.csi.v1.NodeGrpc;
import dev.mooring.csi.v1.ProbeRequest;
import dev.mooring.csi.v1.Volume;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** A driver whose back-end answers nothing any more, as many calls as callers make. */
class BusyDriverTest extends ServedWholePlugin {
    @Test
    void aVolumeIsMeasuredOnceAtATime() throws Exception {
        Volume volume = make("data");
        driver.call(ControllerGrpc.getControllerPublishVolumeMethod(), attach(volume, ServedDriver.NODE_ID));
        driver.call(NodeGrpc.getNodeStageVolumeMethod(), stage(volume));
        driver.call(NodeGrpc.getNodePublishVolumeMethod(), publish(volume));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch answers = new CountDownLatch(1);
        plugin.faults = outcome -> {
            begun.countDown();
            awaitUninterrupted(answers);
            return outcome;
        };
        var question = measure(volume.getVolumeId(), target.toString());
        CompletableFuture<NodeGetVolumeStatsResponse> first =
                CompletableFuture.supplyAsync(() -> driver.call(NodeGrpc.getNodeGetVolumeStatsMethod(), question));
        begun.await();
        try {
            assertThat(driver.code(NodeGrpc.getNodeGetVolumeStatsMethod(), question))
                    .isEqualTo(Status.Code.ABORTED);
        } finally {
            answers.countDown();
        }
        assertThat(first.get().getUsageCount()).isPositive();
        assertThat(driver.call(NodeGrpc.getNodeGetVolumeStatsMethod(), question).getUsageCount())
                .isPositive();
    }

    private static void awaitUninterrupted(CountDownLatch answers) {
        try {
            answers.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aDriverIsAliveHoweverManyCallsWaitForItsBackEnd() throws Exception {
        CountDownLatch busy = new CountDownLatch(CallSlots.WORKING);
        CountDownLatch answers = new CountDownLatch(1);
        plugin.faults = outcome -> {
            busy.countDown();
            awaitUninterrupted(answers);
            return outcome;
        };
        ExecutorService callers = Executors.newCachedThreadPool();
        try {
            List<CompletableFuture<CreateVolumeResponse>> made = new ArrayList<>();
            for (int i = 0; i <= CallSlots.WORKING; i++) {
                String name = "volume-" + i;
                made.add(CompletableFuture.supplyAsync(
                                () -> driver.call(ControllerGrpc.getCreateVolumeMethod(), create(name)), callers)
                        .whenComplete((answer, failure) -> busy.countDown()));
            }
            busy.await();
            assertThat(driver.call(IdentityGrpc.getProbeMethod(), ProbeRequest.getDefaultInstance())
                            .getReady()
                            .getValue())
                    .isTrue();
            assertThat(driver.call(
                                    ControllerGrpc.getControllerGetCapabilitiesMethod(),
                                    ControllerGetCapabilitiesRequest.getDefaultInstance())
                            .getCapabilitiesCount())
                    .isPositive();
            assertThat(driver.call(
                                    NodeGrpc.getNodeGetCapabilitiesMethod(),
                                    NodeGetCapabilitiesRequest.getDefaultInstance())
                            .getCapabilitiesCount())
                    .isPositive();
            answers.countDown();
            assertThat(made)
                    .extracting(each -> each.join().getVolume().getVolumeId())
                    .doesNotHaveDuplicates();
        } finally {
            answers.countDown();
            callers.shutdownNow();
        }
    }
}
