// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.repair.VolumeRepairs;
import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/**
 * Volumes whose claim has gone. Where a claim was deleted and made again under its name (Helm, GitOps, a restore), the volume with its data
 * still names the earlier claim by its uid; as the name is taken now, the earlier claim has certainly gone.
 */
final class Predecessors {
    private Predecessors() {}

    /** Whether a volume belongs to an earlier claim of the claim's namespace and name. */
    static boolean isOf(PersistentVolumeClaim claim, PersistentVolume volume) {
        return volume.spec()
                .claimRef()
                .filter(ref -> names(ref, claim)
                        && !ref.uid().isEmpty()
                        && !ref.uid().equals(claim.metadata().uid()))
                .isPresent();
    }

    private static boolean names(ObjectReference ref, PersistentVolumeClaim claim) {
        return ref.namespace().equals(claim.metadata().namespace())
                && ref.name().equals(claim.metadata().name());
    }

    /** Whether a volume's claim has gone: its phase says so, and no claim of its uid is known. A dump may lack other namespaces. */
    static boolean isReleased(Snapshot snapshot, PersistentVolume volume) {
        PersistentVolumePhase phase = volume.status().phase();
        return (phase == PersistentVolumePhase.RELEASED || phase == PersistentVolumePhase.FAILED)
                && volume.spec()
                        .claimRef()
                        .filter(ref -> !ref.uid().isEmpty())
                        .filter(ref -> snapshot.get(
                                        Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of(ref.namespace(), ref.name()))
                                .filter(claim -> claim.metadata().uid().equals(ref.uid()))
                                .isEmpty())
                        .isPresent();
    }

    /**
     * The volume that most likely has the claim's data: the one that the claim names; else of those of earlier claims of its name one that
     * may be given to it, the last one to be released; empty if there is none.
     */
    static Optional<PersistentVolume> of(Snapshot snapshot, PersistentVolumeClaim claim) {
        String named = claim.spec().volumeName();
        return snapshot.all(Kinds.PERSISTENT_VOLUME).stream()
                .filter(volume -> isOf(claim, volume))
                .filter(volume ->
                        named.isEmpty() || named.equals(volume.metadata().name()))
                .min(Comparator.comparing((PersistentVolume volume) -> !isAdoptable(snapshot, volume, claim))
                        .thenComparing(Predecessors::released, Comparator.reverseOrder()));
    }

    private static boolean isAdoptable(Snapshot snapshot, PersistentVolume volume, PersistentVolumeClaim claim) {
        return new VolumeRepairs(snapshot, volume)
                .adopt(Optional.of(ObjectKey.of(claim)))
                .change()
                .isPresent();
    }

    private static Instant released(PersistentVolume volume) {
        return volume.status()
                .lastPhaseTransitionTime()
                .or(() -> volume.metadata().creationTimestamp())
                .orElse(Instant.EPOCH);
    }
}
