// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import com.google.protobuf.Message;
import dev.mooring.csi.CsiStatus.Origin;
import dev.mooring.csi.v1.CapacityRange;
import dev.mooring.csi.v1.ControllerExpandVolumeRequest;
import dev.mooring.csi.v1.ControllerExpandVolumeResponse;
import dev.mooring.csi.v1.ControllerPublishVolumeRequest;
import dev.mooring.csi.v1.ControllerUnpublishVolumeResponse;
import dev.mooring.csi.v1.CreateSnapshotRequest;
import dev.mooring.csi.v1.CreateSnapshotResponse;
import dev.mooring.csi.v1.CreateVolumeRequest;
import dev.mooring.csi.v1.CreateVolumeResponse;
import dev.mooring.csi.v1.DeleteSnapshotResponse;
import dev.mooring.csi.v1.DeleteVolumeResponse;
import dev.mooring.csi.v1.NodeExpandVolumeRequest;
import dev.mooring.csi.v1.NodeExpandVolumeResponse;
import dev.mooring.csi.v1.NodePublishVolumeRequest;
import dev.mooring.csi.v1.NodePublishVolumeResponse;
import dev.mooring.csi.v1.NodeStageVolumeRequest;
import dev.mooring.csi.v1.NodeStageVolumeResponse;
import dev.mooring.csi.v1.NodeUnstageVolumeResponse;
import dev.mooring.csi.v1.VolumeCapability;
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
    TAKES_A_SNAPSHOT_WITHOUT_ANSWER_FOR_REFUSED(
            "left: snapshot", (driver, seen) -> unanswered("CreateSnapshot", driver, refusal())),
    CALLS_A_SNAPSHOT_BY_ANOTHER_NAME_AT_EACH_TRY("made twice", PlantedCsiBug::otherSnapshotNames),
    TAKES_THE_END_OF_A_SNAPSHOT_WITHOUT_ANSWER_FOR_DONE(
            "left: snapshot",
            (driver, seen) ->
                    unanswered("DeleteSnapshot", driver, Reply.of(DeleteSnapshotResponse.getDefaultInstance()))),
    FORGETS_OF_WHICH_VOLUME_A_SNAPSHOT_IS("of another volume", PlantedCsiBug::otherSources),
    TAKES_EACH_SNAPSHOT_FOR_READY("that is not ready", (driver, seen) -> alwaysReady(driver)),
    RESTORES_AN_EMPTY_VOLUME("holds nothing", (driver, seen) -> withoutContent(driver)),
    TAKES_AN_EXPANSION_WITHOUT_ANSWER_FOR_DONE("that its storage does not have", (driver, seen) -> grown(driver)),
    DOES_NOT_GROW_ON_THE_NODE(
            "that pods do not have",
            (driver, seen) ->
                    instead("NodeExpandVolume", driver, Reply.of(NodeExpandVolumeResponse.getDefaultInstance()))),
    ASKS_FOR_A_SIZE_OF_BEFORE("asked to shrink", PlantedCsiBug::firstSizes),
    GROWS_IN_THE_WRONG_PLACE("grows where it is not", (driver, seen) -> growingElsewhere(driver)),
    SHOWS_A_DEVICE_AS_A_FILE_SYSTEM("in another mode", (driver, seen) -> mounted(driver)),
    BELIEVES_AFTER_A_REBOOT_WHAT_IT_PUBLISHED_BEFORE("has not what it runs with", PlantedCsiBug::publishedOnce),
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

    private static Calls otherSnapshotNames(Calls driver, Map<String, Integer> seen) {
        return (node, rpc, request) -> driver.answer(
                node,
                rpc,
                request instanceof CreateSnapshotRequest create
                        ? create.toBuilder()
                                .setName(create.getName() + "-" + seen.merge(create.getName(), 1, Integer::sum))
                                .build()
                        : request);
    }

    /** Of the volume for which the driver was called last. */
    private static Calls otherSources(Calls driver, Map<String, Integer> seen) {
        Map<Integer, String> last = new TreeMap<>();
        return (node, rpc, request) -> {
            Message asked = request;
            if (request instanceof ControllerPublishVolumeRequest attach) {
                last.put(0, attach.getVolumeId());
            } else if (request instanceof CreateSnapshotRequest create
                    && seen.merge(create.getName(), 1, Integer::sum) > 1) {
                asked = create.toBuilder()
                        .setSourceVolumeId(last.getOrDefault(0, create.getSourceVolumeId()))
                        .build();
            }
            return driver.answer(node, rpc, asked);
        };
    }

    private static Calls alwaysReady(Calls driver) {
        return (node, rpc, request) -> {
            Reply reply = driver.answer(node, rpc, request);
            return reply.answer() instanceof CreateSnapshotResponse made
                    ? Reply.of(made.toBuilder()
                            .setSnapshot(made.getSnapshot().toBuilder().setReadyToUse(true))
                            .build())
                    : reply;
        };
    }

    private static Calls withoutContent(Calls driver) {
        return (node, rpc, request) -> {
            if (!(request instanceof CreateVolumeRequest create) || !create.hasVolumeContentSource()) {
                return driver.answer(node, rpc, request);
            }
            Reply reply = driver.answer(
                    node, rpc, create.toBuilder().clearVolumeContentSource().build());
            return reply.answer() instanceof CreateVolumeResponse made
                    ? Reply.of(made.toBuilder()
                            .setVolume(made.getVolume().toBuilder().setContentSource(create.getVolumeContentSource()))
                            .build())
                    : reply;
        };
    }

    private static Calls grown(Calls driver) {
        return (node, rpc, request) -> {
            Reply reply = driver.answer(node, rpc, request);
            return request instanceof ControllerExpandVolumeRequest expand && reply.origin() == Origin.UNANSWERED
                    ? Reply.of(ControllerExpandVolumeResponse.newBuilder()
                            .setCapacityBytes(expand.getCapacityRange().getRequiredBytes())
                            .setNodeExpansionRequired(true)
                            .build())
                    : reply;
        };
    }

    private static Calls firstSizes(Calls driver, Map<String, Integer> seen) {
        return (node, rpc, request) -> driver.answer(
                node,
                rpc,
                request instanceof ControllerExpandVolumeRequest expand
                        ? expand.toBuilder()
                                .setCapacityRange(
                                        seen.merge(expand.getVolumeId(), 1, Integer::sum) % 2 == 0
                                                ? CapacityRange.newBuilder()
                                                        .setRequiredBytes(1)
                                                        .build()
                                                : expand.getCapacityRange())
                                .build()
                        : request);
    }

    private static Calls growingElsewhere(Calls driver) {
        return (node, rpc, request) -> driver.answer(
                node,
                rpc,
                request instanceof NodeExpandVolumeRequest expand
                        ? expand.toBuilder().setVolumePath("/elsewhere").build()
                        : request);
    }

    private static Calls mounted(Calls driver) {
        return (node, rpc, request) -> driver.answer(
                node,
                rpc,
                request instanceof NodePublishVolumeRequest publish
                        ? publish.toBuilder()
                                .setVolumeCapability(publish.getVolumeCapability().toBuilder()
                                        .setMount(VolumeCapability.MountVolume.getDefaultInstance()))
                                .build()
                        : request);
    }

    /** What was published once is taken for published, whatever has become of the machine. */
    private static Calls publishedOnce(Calls driver, Map<String, Integer> seen) {
        return (node, rpc, request) -> {
            if (request instanceof NodePublishVolumeRequest publish && seen.containsKey(publish.getTargetPath())) {
                return Reply.of(NodePublishVolumeResponse.getDefaultInstance());
            }
            Reply reply = driver.answer(node, rpc, request);
            if (request instanceof NodePublishVolumeRequest publish && reply.answer() != null) {
                seen.put(publish.getTargetPath(), 1);
            }
            return reply;
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
