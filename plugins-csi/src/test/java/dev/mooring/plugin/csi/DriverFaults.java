// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import com.google.protobuf.Message;
import dev.mooring.csi.CsiStatus.Origin;
import dev.mooring.csi.v1.ControllerExpandVolumeRequest;
import dev.mooring.csi.v1.ControllerPublishVolumeRequest;
import dev.mooring.csi.v1.ControllerUnpublishVolumeRequest;
import dev.mooring.csi.v1.CreateSnapshotRequest;
import dev.mooring.csi.v1.CreateVolumeRequest;
import dev.mooring.csi.v1.DeleteSnapshotRequest;
import dev.mooring.csi.v1.DeleteVolumeRequest;
import dev.mooring.csi.v1.NodeExpandVolumeRequest;
import dev.mooring.csi.v1.NodePublishVolumeRequest;
import dev.mooring.csi.v1.NodeStageVolumeRequest;
import dev.mooring.csi.v1.NodeUnpublishVolumeRequest;
import dev.mooring.csi.v1.NodeUnstageVolumeRequest;
import dev.mooring.plugin.csi.DirectChannel.Reply;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * What goes wrong with the calls of a {@link SimulatedDriver}: it answers with each code, loses answers, works on when the host has given up,
 * dies in the middle, or is away. It does not lie. Confined to the world's thread.
 */
final class DriverFaults {
    /** In a message, so that it is found again on objects. */
    static final String STUCK = "it is stuck on purpose";

    private static final Set<String> UNDOING = Set.of(
            "DeleteVolume", "DeleteSnapshot", "ControllerUnpublishVolume", "NodeUnstageVolume", "NodeUnpublishVolume");

    /** These end a call for good: a driver that has done the work does not answer with them. */
    private static final Set<Status.Code> FINAL = Set.of(
            Status.Code.INVALID_ARGUMENT,
            Status.Code.NOT_FOUND,
            Status.Code.ALREADY_EXISTS,
            Status.Code.PERMISSION_DENIED,
            Status.Code.UNAUTHENTICATED,
            Status.Code.RESOURCE_EXHAUSTED,
            Status.Code.FAILED_PRECONDITION,
            Status.Code.OUT_OF_RANGE,
            Status.Code.UNIMPLEMENTED);

    private final SimulatedDriver driver;
    private final Random random;
    private final Map<String, Late> late = new HashMap<>();
    private final Map<String, Integer> struck = new HashMap<>();
    private Optional<String> stuck = Optional.empty();
    private final int often;
    private boolean ended;
    private int away;

    /** Work that the host has given up. */
    private static final class Late {
        private final Runnable work;
        private int calls;

        Late(Runnable work, int calls) {
            this.work = work;
            this.calls = calls;
        }
    }

    /**
     * Begins to do harm.
     *
     * @param random decides everything
     */
    DriverFaults(SimulatedDriver driver, Random random) {
        this.driver = driver;
        this.random = random;
        this.often = 2 + random.nextInt(3);
    }

    /** From now on all goes well. */
    void end() {
        ended = true;
        away = 0;
        stuck = Optional.empty();
        finishLate();
    }

    /** From now on an rpc is refused each time, with words that say so; none if empty. */
    void stickAt(Optional<String> rpc) {
        stuck = rpc;
    }

    /** The driver is away for so many calls. */
    void leave(int calls) {
        away = calls;
    }

    /** The driver's process dies and comes back. What it was at may have been done or not. */
    void restart() {
        if (random.nextBoolean()) {
            finishLate();
        }
        late.clear();
    }

    /** A machine dies: what the driver was at there is not done any more. */
    void machineDied(String node) {
        late.keySet().removeIf(key -> key.endsWith("@" + node));
    }

    private void finishLate() {
        List<Late> all = new ArrayList<>(late.values());
        late.clear();
        all.forEach(each -> each.work.run());
    }

    /** How often faults of each kind struck. */
    Map<String, Integer> struck() {
        return Map.copyOf(struck);
    }

    private <T> T count(String kind, T value) {
        struck.merge(kind, 1, Integer::sum);
        return value;
    }

    /** Answers a call, or does not. */
    Reply answer(String node, String rpc, Message request) {
        String key = key(node, request);
        if (away > 0) {
            away--;
            return count("away", Reply.failure(Status.Code.UNAVAILABLE, "no process listens", Origin.NOT_SENT));
        } else if (stuck.filter(rpc::equals).isPresent()) {
            return count("stuck", Reply.failure(Status.Code.INTERNAL, STUCK, Origin.DRIVER));
        } else if (key.isEmpty()) {
            return driver.answer(node, rpc, request);
        }
        Late before = late.get(key);
        if (before != null) {
            if (before.calls-- > 0) {
                return Reply.failure(Status.Code.ABORTED, "an operation for " + key + " is under way", Origin.DRIVER);
            }
            late.remove(key);
            before.work.run();
        }
        return ended || random.nextInt(often) != 0
                ? driver.answer(node, rpc, request)
                : faulty(node, rpc, request, key);
    }

    private Reply faulty(String node, String rpc, Message request, String key) {
        return switch (random.nextInt(5)) {
            case 0, 1 -> coded(node, rpc, request);
            case 2 -> {
                driver.answer(node, rpc, request);
                yield count("answer lost", unanswered());
            }
            case 3 -> count("request lost", unanswered());
            default -> {
                late.put(key, new Late(() -> driver.answer(node, rpc, request), random.nextInt(3)));
                yield count("slow", unanswered());
            }
        };
    }

    private static Reply unanswered() {
        return Reply.failure(Status.Code.DEADLINE_EXCEEDED, "no answer came in time", Origin.UNANSWERED);
    }

    private Reply coded(String node, String rpc, Message request) {
        List<Status.Code> honest = new ArrayList<>(List.of(Status.Code.values()));
        honest.remove(Status.Code.OK);
        if (driver.hasDone(node, request)) {
            honest.removeAll(FINAL);
        }
        if (UNDOING.contains(rpc)) {
            honest.remove(Status.Code.NOT_FOUND);
        }
        Status.Code code = honest.get(random.nextInt(honest.size()));
        return count(code.name(), Reply.failure(code, "the driver answers " + code + " to " + rpc, Origin.DRIVER));
    }

    /** What a driver works on one at a time; empty for a call that changes nothing. */
    private static String key(String node, Message request) {
        if (request instanceof CreateVolumeRequest create) {
            return create.getName();
        } else if (request instanceof DeleteVolumeRequest delete) {
            return delete.getVolumeId();
        } else if (request instanceof ControllerPublishVolumeRequest attach) {
            return attach.getVolumeId();
        } else if (request instanceof ControllerUnpublishVolumeRequest detach) {
            return detach.getVolumeId();
        } else if (request instanceof NodeStageVolumeRequest stage) {
            return stage.getVolumeId() + "@" + node;
        } else if (request instanceof NodeUnstageVolumeRequest unstage) {
            return unstage.getVolumeId() + "@" + node;
        } else if (request instanceof NodePublishVolumeRequest publish) {
            return publish.getVolumeId() + "@" + node;
        } else if (request instanceof CreateSnapshotRequest create) {
            return create.getName();
        } else if (request instanceof DeleteSnapshotRequest delete) {
            return delete.getSnapshotId();
        } else if (request instanceof ControllerExpandVolumeRequest expand) {
            return expand.getVolumeId();
        } else if (request instanceof NodeExpandVolumeRequest expand) {
            return expand.getVolumeId() + "@" + node;
        }
        return request instanceof NodeUnpublishVolumeRequest unpublish ? unpublish.getVolumeId() + "@" + node : "";
    }
}
