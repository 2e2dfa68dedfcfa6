// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.modification;

import dev.mooring.storage.model.ModifyVolumeStatus;
import dev.mooring.storage.model.PersistentVolumeClaim;
import java.util.Optional;

/**
 * Which class of attributes to go for now: the pure heart of the controller (semantics/binder §3.5, volume modification).
 *
 * @param kind what to do
 * @param target the class to reach; present if and only if there is one
 */
record ModificationGoal(Kind kind, Optional<String> target) {
    static final String PENDING = "Pending";
    static final String IN_PROGRESS = "InProgress";
    static final String INFEASIBLE = "Infeasible";

    /** What to do. */
    enum Kind {
        /** The volume has what the claim names. */
        NOTHING,
        /** The claim names no class any more, and nothing has been begun that has to be finished. */
        CANCEL,
        /** Bring the volume to the target. */
        MODIFY
    }

    /**
     * What the claim shows.
     *
     * @param wanted the class in its spec, W; empty for none
     * @param current the class that the volume has, K; empty for none
     * @param under the modification under way, M
     */
    record Facts(String wanted, String current, Optional<ModifyVolumeStatus> under) {
        static Facts of(PersistentVolumeClaim claim) {
            return new Facts(
                    claim.spec().volumeAttributesClassName().orElse(""),
                    claim.status().currentVolumeAttributesClassName().orElse(""),
                    claim.status().modifyVolumeStatus());
        }

        boolean inProgress() {
            return under.filter(m -> m.status().equals(IN_PROGRESS)).isPresent();
        }
    }

    /**
     * Decides.
     *
     * @param lastCallHadNoEffect whether it is known that the last call left the attributes as they were; false if there was none in this
     *     process
     */
    static ModificationGoal of(Facts facts, boolean lastCallHadNoEffect) {
        if (facts.under().isEmpty() && facts.wanted().equals(facts.current())) {
            return new ModificationGoal(Kind.NOTHING, Optional.empty());
        }
        if (facts.wanted().isEmpty() && !facts.inProgress()) {
            return new ModificationGoal(Kind.CANCEL, Optional.empty());
        }
        boolean begun =
                facts.inProgress() && (!lastCallHadNoEffect || facts.wanted().isEmpty());
        String target = begun
                ? facts.under()
                        .map(ModifyVolumeStatus::targetVolumeAttributesClassName)
                        .orElse(facts.wanted())
                : facts.wanted();
        return new ModificationGoal(Kind.MODIFY, Optional.of(target));
    }
}
