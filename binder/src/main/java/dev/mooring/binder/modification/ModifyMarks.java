// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.modification;

import dev.mooring.binder.bound.ClaimConditions;
import dev.mooring.storage.model.ModifyVolumeStatus;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimStatus;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** What a claim's status tells of a modification, and the pure edits of it. */
final class ModifyMarks {
    private static final String MODIFYING = "ModifyingVolume";
    private static final String ERROR = "ModifyVolumeError";

    private ModifyMarks() {}

    static boolean isModifying(PersistentVolumeClaim claim) {
        return ClaimConditions.holds(claim.status(), MODIFYING);
    }

    /** The class is not there, or is not for this volume. */
    static PersistentVolumeClaimStatus pending(PersistentVolumeClaim claim, String target) {
        return claim.status()
                .withModifyVolumeStatus(Optional.of(new ModifyVolumeStatus(target, ModificationGoal.PENDING)));
    }

    /** Before the back-end is asked. */
    static PersistentVolumeClaimStatus inProgress(PersistentVolumeClaim claim, String target, Instant now) {
        ModifyVolumeStatus wanted = new ModifyVolumeStatus(target, ModificationGoal.IN_PROGRESS);
        boolean again =
                claim.status().modifyVolumeStatus().filter(wanted::equals).isPresent();
        PersistentVolumeClaimStatus status =
                again ? claim.status() : ClaimConditions.without(claim.status(), Set.of(ERROR));
        return ClaimConditions.with(status.withModifyVolumeStatus(Optional.of(wanted)), MODIFYING, "", "", now);
    }

    /** A call has failed. */
    static PersistentVolumeClaimStatus failed(
            PersistentVolumeClaim claim, String target, boolean infeasible, String code, String why, Instant now) {
        PersistentVolumeClaimStatus status = infeasible
                ? claim.status()
                        .withModifyVolumeStatus(
                                Optional.of(new ModifyVolumeStatus(target, ModificationGoal.INFEASIBLE)))
                : claim.status();
        return ClaimConditions.with(status, ERROR, code, why, now);
    }

    /** The volume has the attributes. */
    static PersistentVolumeClaimStatus finished(PersistentVolumeClaim claim, String target) {
        return ClaimConditions.without(claim.status(), Set.of(MODIFYING, ERROR))
                .withCurrentVolumeAttributesClassName(Optional.of(target))
                .withModifyVolumeStatus(Optional.empty());
    }

    /** Nothing is wanted any more; what was pending or infeasible stays to be seen, as upstream leaves it. */
    static PersistentVolumeClaimStatus cancelled(PersistentVolumeClaim claim) {
        return ClaimConditions.without(claim.status(), Set.of(MODIFYING));
    }
}
