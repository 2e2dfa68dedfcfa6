// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.invariant;

import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.ReclaimPolicy;
import java.util.Optional;

/**
 * Once faults have ended, who can be served is served (semantics/binder §7.1): a claim and a volume that are meant for each other are
 * bound, and storage that is to be destroyed is destroyed. That what is to be made is made, see {@link SettledInvariants}.
 */
final class ServingRules implements Invariant {
    /** Who makes storage in the process of the controllers, and destroys it. */
    private static final String IN_PROCESS = "mooring.dev/sim";

    @Override
    public void atRest(WorldView world, Findings findings) {
        for (PersistentVolumeClaim claim : world.claims()) {
            if (isNew(claim)) {
                meantForEachOther(world, claim, findings);
            }
        }
        world.volumes().forEach(volume -> destroyed(world, volume, findings));
    }

    private static boolean isNew(PersistentVolumeClaim claim) {
        return claim.status().phase() == ClaimPhase.PENDING
                && !claim.metadata().isDeleting()
                && claim.metadata().annotation(Annotations.BIND_COMPLETED).isEmpty();
    }

    private static void meantForEachOther(WorldView world, PersistentVolumeClaim claim, Findings findings) {
        String named = claim.spec().volumeName();
        for (PersistentVolume volume : world.volumes()) {
            Optional<ObjectReference> holder = volume.spec().claimRef();
            boolean byVolume = holder.filter(ref -> ref.uid().isEmpty()).isPresent()
                    && VolumeFacts.names(volume, ObjectKey.of(claim));
            boolean byClaim = named.equals(VolumeFacts.name(volume)) && (holder.isEmpty() || byVolume);
            boolean agreed = byClaim || (byVolume && named.isEmpty());
            findings.require(
                    !agreed || !Fitting.fits(volume, claim),
                    "I6",
                    say(claim) + " waits, and volume " + VolumeFacts.name(volume) + " is meant for it");
        }
    }

    private static void destroyed(WorldView world, PersistentVolume volume, Findings findings) {
        PersistentVolumePhase phase = volume.status().phase();
        boolean due = (phase == PersistentVolumePhase.RELEASED || phase == PersistentVolumePhase.FAILED)
                && volume.spec().persistentVolumeReclaimPolicy() == ReclaimPolicy.DELETE
                && volume.metadata().annotation(Annotations.PROVISIONED_BY).equals(Optional.of(IN_PROCESS))
                && volume.metadata().hasFinalizer(Finalizers.PV_CONTROLLER)
                && !world.liedAbout(VolumeFacts.name(volume))
                && VolumeFacts.slots(world, VolumeFacts.name(volume)).isEmpty();
        findings.require(!due, "L-reclaim", "volume " + VolumeFacts.name(volume) + " is left, and its storage too");
    }

    private static String say(PersistentVolumeClaim claim) {
        return "claim " + claim.metadata().namespace() + "/" + claim.metadata().name();
    }
}
