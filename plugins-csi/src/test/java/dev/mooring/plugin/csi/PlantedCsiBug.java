// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import com.google.protobuf.Message;
import dev.mooring.csi.CsiStatus.Origin;
import dev.mooring.csi.v1.ControllerUnpublishVolumeResponse;
import dev.mooring.csi.v1.CreateVolumeRequest;
import dev.mooring.csi.v1.DeleteVolumeResponse;
import dev.mooring.csi.v1.NodeStageVolumeRequest;
import dev.mooring.csi.v1.NodeStageVolumeResponse;
import dev.mooring.csi.v1.NodeUnstageVolumeResponse;
import dev.mooring.plugin.csi.CsiPlane.Calls;
import dev.mooring.plugin.csi.DirectChannel.Reply;
import io.grpc.Status;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** What could be wrong with what calls drivers, planted between it and the driver; each with the words of a finding that tells of it. */
enum PlantedCsiBug {
    TAKES_A_CREATE_WITHOUT_ANSWER_FOR_REFUSED(
            "left: volume", (driver, seen) -> unanswered("CreateVolume", driver, refusal())),
    CALLS_A_VOLUME_BY_ANOTHER_NAME_AT_EACH_TRY("left: volume", PlantedCsiBug::otherNames),
    TAKES_A_DELETE_WITHOUT_ANSWER_FOR_DONE(
            "left: volume",
            (driver, seen) -> unanswered("DeleteVolume", driver, Reply.of(DeleteVolumeResponse.getDefaultInstance()))),
    TAKES_A_DETACH_WITHOUT_ANSWER_FOR_DONE(
            "attached",
            (driver, seen) -> unanswered(
                    "ControllerUnpublishVolume",
                    driver,
                    Reply.of(ControllerUnpublishVolumeResponse.getDefaultInstance()))),
    STAGES_IN_ANOTHER_DIRECTORY_AT_EACH_TRY("staged under two names", PlantedCsiBug::otherDirectories),
    DOES_NOT_STAGE(
            "published that was never staged",
            (driver, seen) ->
                    instead("NodeStageVolume", driver, Reply.of(NodeStageVolumeResponse.getDefaultInstance()))),
    DOES_NOT_UNSTAGE(
            "staged",
            (driver, seen) ->
                    instead("NodeUnstageVolume", driver, Reply.of(NodeUnstageVolumeResponse.getDefaultInstance()))),
    FORGETS_WHAT_THE_ATTACHMENT_SAID("without what its attachment said", (driver, seen) -> withoutContext(driver)),
    KEEPS_THE_WORDS_OF_THE_DRIVER_TO_ITSELF("not told why", (driver, seen) -> withoutWords(driver));

    private final String finding;

    @SuppressWarnings("ImmutableEnumChecker") // the lambdas have no state
    private final Planting planting;

    @FunctionalInterface
    private interface Planting {
        Calls in(Calls driver, Map<String, Integer> seen);
    }

    PlantedCsiBug(String finding, Planting planting) {
        this.finding = finding;
        this.planting = planting;
    }

    /** Part of what is found. */
    String finding() {
        return finding;
    }

    /** The bug, for one world. */
    UnaryOperator<Calls> planted() {
        return driver -> planting.in(driver, new TreeMap<>());
    }

    private static Reply refusal() {
        return Reply.failure(Status.Code.INVALID_ARGUMENT, "no answer", Origin.DRIVER);
    }

    private static Calls unanswered(String which, Calls driver, Reply taken) {
        return (node, rpc, request) -> {
            Reply reply = driver.answer(node, rpc, request);
            return rpc.equals(which) && reply.origin() == Origin.UNANSWERED ? taken : reply;
        };
    }

    private static Calls instead(String which, Calls driver, Reply taken) {
        return (node, rpc, request) -> rpc.equals(which) ? taken : driver.answer(node, rpc, request);
    }

    private static Calls otherNames(Calls driver, Map<String, Integer> seen) {
        return (node, rpc, request) -> {
            Message asked = request;
            if (request instanceof CreateVolumeRequest create) {
                asked = create.toBuilder()
                        .setName(create.getName() + "-" + seen.merge(create.getName(), 1, Integer::sum))
                        .build();
            }
            return driver.answer(node, rpc, asked);
        };
    }

    private static Calls otherDirectories(Calls driver, Map<String, Integer> seen) {
        return (node, rpc, request) -> {
            Message asked = request;
            if (request instanceof NodeStageVolumeRequest stage
                    && seen.merge(stage.getVolumeId(), 1, Integer::sum) % 2 == 0) {
                Path other = Path.of(stage.getStagingTargetPath()).getParent();
                asked = stage.toBuilder()
                        .setStagingTargetPath(String.valueOf(other))
                        .build();
            }
            return driver.answer(node, rpc, asked);
        };
    }

    private static Calls withoutContext(Calls driver) {
        return (node, rpc, request) -> driver.answer(
                node,
                rpc,
                request instanceof NodeStageVolumeRequest stage
                        ? stage.toBuilder().clearPublishContext().build()
                        : request);
    }

    private static Calls withoutWords(Calls driver) {
        return (node, rpc, request) -> {
            Reply reply = driver.answer(node, rpc, request);
            return reply.status().isOk() ? reply : Reply.failure(reply.status().getCode(), "", reply.origin());
        };
    }
}
