// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimStatus;
import dev.mooring.storage.model.Quantity;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a claim's status tells of the node's half of an expansion, and the pure edits of it (semantics/attach-and-mount §3.16). */
final class GrowthMarks {
    static final String PENDING = "NodeResizePending";
    static final String IN_PROGRESS = "NodeResizeInProgress";
    static final String INFEASIBLE = "NodeResizeInfeasible";

    private static final String STORAGE = "storage";
    private static final String ERROR = "NodeResizeError";
    private static final String FILE_SYSTEM_PENDING = "FileSystemResizePending";
    private static final Set<String> ALL = Set.of("Resizing", FILE_SYSTEM_PENDING, "ControllerResizeError", ERROR);

    private GrowthMarks() {}

    static String status(PersistentVolumeClaim claim) {
        return claim.status().allocatedResourceStatuses().getOrDefault(STORAGE, "");
    }

    static Optional<Quantity> allocated(PersistentVolumeClaim claim) {
        return Optional.ofNullable(claim.status().allocatedResources().get(STORAGE));
    }

    static Quantity capacity(PersistentVolumeClaim claim) {
        return claim.status().capacity().getOrDefault(STORAGE, Quantity.ZERO);
    }

    static boolean fileSystemPending(PersistentVolumeClaim claim) {
        return claim.status().conditions().stream()
                .anyMatch(condition ->
                        condition.type().equals(FILE_SYSTEM_PENDING) && condition.status() == ConditionStatus.TRUE);
    }

    /** A node is at it. */
    static PersistentVolumeClaimStatus inProgress(PersistentVolumeClaim claim) {
        return at(claim.status(), IN_PROGRESS);
    }

    /** It is done. What the expansion went for stays, as upstream leaves it. */
    static PersistentVolumeClaimStatus finished(PersistentVolumeClaim claim, Quantity size) {
        List<Condition> rest = claim.status().conditions().stream()
                .filter(condition -> !ALL.contains(condition.type()))
                .toList();
        Map<String, String> statuses = new LinkedHashMap<>(claim.status().allocatedResourceStatuses());
        statuses.remove(STORAGE);
        PersistentVolumeClaimStatus done = claim.status().withConditions(rest).withAllocatedResourceStatuses(statuses);
        if (capacity(claim).compareTo(size) >= 0) {
            return done;
        }
        Map<String, Quantity> capacity = new LinkedHashMap<>(done.capacity());
        capacity.put(STORAGE, size);
        return done.withCapacity(capacity);
    }

    /** It was refused. */
    static PersistentVolumeClaimStatus failed(
            PersistentVolumeClaim claim, boolean infeasible, String why, Instant now) {
        PersistentVolumeClaimStatus status = infeasible ? at(claim.status(), INFEASIBLE) : claim.status();
        boolean same = status.conditions().stream()
                .anyMatch(condition -> condition.type().equals(ERROR)
                        && condition.status() == ConditionStatus.TRUE
                        && condition.message().equals(why));
        return same
                ? status
                : status.withConditions(
                        Conditions.with(status.conditions(), ERROR, ConditionStatus.TRUE, "", why, now));
    }

    private static PersistentVolumeClaimStatus at(PersistentVolumeClaimStatus status, String word) {
        Map<String, String> statuses = new LinkedHashMap<>(status.allocatedResourceStatuses());
        statuses.put(STORAGE, word);
        return status.withAllocatedResourceStatuses(statuses);
    }
}
