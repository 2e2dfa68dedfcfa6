// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.checks.PrebindCheck;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;

/** The first step of a bind, for the scheduler's side, which takes it in the binder's place (semantics/binder §1.7, §3.6). */
public final class Claiming {
    private Claiming() {}

    /** The volume as it names the claim; itself if it does. */
    public static PersistentVolume claimed(PersistentVolume volume, PersistentVolumeClaim claim) {
        return Transitions.claimed(volume, claim);
    }

    /** Whether a volume may be given to a claim: no other claim has it, and it is neither deleted nor reclaimed. */
    public static boolean mayClaim(PersistentVolume volume, PersistentVolumeClaim claim) {
        return (volume.spec().claimRef().isEmpty() || Transitions.isFor(volume, claim))
                && !volume.metadata().isDeleting()
                && !PrebindCheck.isBeingReclaimed(volume);
    }
}
