// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.expansion;

import dev.mooring.binder.bound.ClaimConditions;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimStatus;
import dev.mooring.storage.model.Quantity;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a claim's status tells of an expansion, and the pure edits of it (semantics/binder §3.5). */
final class ResizeMarks {
    private static final String STORAGE = "storage";
    private static final String RESIZING = "Resizing";
    private static final String FILE_SYSTEM_PENDING = "FileSystemResizePending";
    private static final String CONTROLLER_ERROR = "ControllerResizeError";
    private static final String NODE_ERROR = "NodeResizeError";
    private static final Set<String> ALL = Set.of(RESIZING, FILE_SYSTEM_PENDING, CONTROLLER_ERROR, NODE_ERROR);
    private static final String WAITING_FOR_POD =
            "Waiting for user to (re-)start a pod to finish file system resize of volume on node.";

    private ResizeMarks() {}

    static Optional<Quantity> capacity(PersistentVolumeClaim claim) {
        return Optional.ofNullable(claim.status().capacity().get(STORAGE));
    }

    static Optional<Quantity> allocated(PersistentVolumeClaim claim) {
        return Optional.ofNullable(claim.status().allocatedResources().get(STORAGE));
    }

    static ResizeStatus status(PersistentVolumeClaim claim) {
        return ResizeStatus.parse(claim.status().allocatedResourceStatuses().getOrDefault(STORAGE, ""));
    }

    static boolean fileSystemPending(PersistentVolumeClaim claim) {
        return ClaimConditions.holds(claim.status(), FILE_SYSTEM_PENDING);
    }

    /** Whether an expansion was begun that may have changed the back-end. Stores that keep no marks keep the condition. */
    static boolean underWay(PersistentVolumeClaim claim) {
        return switch (status(claim)) {
            case CONTROLLER_RESIZE_IN_PROGRESS, NODE_RESIZE_PENDING, NODE_RESIZE_IN_PROGRESS, NODE_RESIZE_INFEASIBLE ->
                true;
            case CONTROLLER_RESIZE_INFEASIBLE -> false;
            case NONE, UNKNOWN -> ClaimConditions.holds(claim.status(), RESIZING);
        };
    }

    /** Whether a store that was asked to show how far an expansion is left that out, for it does not know the fields. */
    static boolean areLeftOut(PersistentVolumeClaimStatus asked, PersistentVolumeClaimStatus answered) {
        return asked.allocatedResourceStatuses().containsKey(STORAGE)
                && !answered.allocatedResourceStatuses().containsKey(STORAGE)
                && !answered.allocatedResources().containsKey(STORAGE);
    }

    /** Before the back-end is asked: what for, and that its answer is not known. */
    static PersistentVolumeClaimStatus inProgress(PersistentVolumeClaim claim, Quantity target, Instant now) {
        boolean again = status(claim) == ResizeStatus.CONTROLLER_RESIZE_IN_PROGRESS
                && allocated(claim).filter(target::equals).isPresent();
        PersistentVolumeClaimStatus cleared = again ? claim.status() : ClaimConditions.without(claim.status(), ALL);
        PersistentVolumeClaimStatus marked = at(cleared, ResizeStatus.CONTROLLER_RESIZE_IN_PROGRESS);
        return ClaimConditions.with(
                marked.withAllocatedResources(with(marked.allocatedResources(), target)), RESIZING, "", "", now);
    }

    /** The back-end is surely unchanged. */
    static PersistentVolumeClaimStatus failed(
            PersistentVolumeClaim claim, boolean infeasible, String why, Instant now) {
        PersistentVolumeClaimStatus status =
                infeasible ? at(claim.status(), ResizeStatus.CONTROLLER_RESIZE_INFEASIBLE) : claim.status();
        return ClaimConditions.with(status, CONTROLLER_ERROR, "", why, now);
    }

    /** The back-end has grown; a node has something to do. */
    static PersistentVolumeClaimStatus awaitingNode(PersistentVolumeClaim claim, Instant now) {
        PersistentVolumeClaimStatus status =
                ClaimConditions.without(claim.status(), Set.of(RESIZING, CONTROLLER_ERROR));
        return ClaimConditions.with(
                at(status, ResizeStatus.NODE_RESIZE_PENDING), FILE_SYSTEM_PENDING, "", WAITING_FOR_POD, now);
    }

    /** The back-end has grown and that is all. What the expansion went for stays, as upstream leaves it. */
    static PersistentVolumeClaimStatus finished(PersistentVolumeClaim claim, Quantity size) {
        PersistentVolumeClaimStatus status = at(ClaimConditions.without(claim.status(), ALL), ResizeStatus.NONE);
        boolean grown = capacity(claim).filter(has -> has.compareTo(size) >= 0).isEmpty();
        return grown ? status.withCapacity(with(status.capacity(), size)) : status;
    }

    /** As if no expansion had been asked for; what was allocated no longer counts against a quota. */
    static PersistentVolumeClaimStatus withdrawn(PersistentVolumeClaim claim) {
        PersistentVolumeClaimStatus status = at(ClaimConditions.without(claim.status(), ALL), ResizeStatus.NONE);
        return status.withAllocatedResources(without(status.allocatedResources()));
    }

    private static PersistentVolumeClaimStatus at(PersistentVolumeClaimStatus status, ResizeStatus wanted) {
        return status.withAllocatedResourceStatuses(
                wanted == ResizeStatus.NONE
                        ? without(status.allocatedResourceStatuses())
                        : with(status.allocatedResourceStatuses(), wanted.word()));
    }

    private static <V> Map<String, V> with(Map<String, V> map, V value) {
        Map<String, V> copy = new LinkedHashMap<>(map);
        copy.put(STORAGE, value);
        return copy;
    }

    private static <V> Map<String, V> without(Map<String, V> map) {
        Map<String, V> copy = new LinkedHashMap<>(map);
        copy.remove(STORAGE);
        return copy;
    }
}
