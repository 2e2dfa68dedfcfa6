// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.NodeSelector;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.StorageClasses;
import dev.mooring.storage.model.VolumeMode;
import java.util.Optional;

/**
 * A version of a volume with what matching asks of it.
 *
 * @param volume the volume
 * @param storageClass its class; empty for none
 * @param affinity the nodes that reach it; absent for all
 * @param takeable neither deleting nor being reclaimed (F7, D6)
 * @param free takeable, unclaimed and in a phase in which it may be taken (F3, F11, D17)
 */
record StaticVolume(
        PersistentVolume volume, String storageClass, Optional<NodeSelector> affinity, boolean takeable, boolean free) {

    static StaticVolume of(PersistentVolume volume, boolean upstreamPhaseOrder) {
        PersistentVolumePhase phase = volume.status().phase();
        boolean takeable = !volume.metadata().isDeleting()
                && volume.metadata().annotation(Annotations.RECLAIMING).isEmpty()
                && modeOf(volume) != VolumeMode.UNKNOWN;
        boolean phaseFits = phase == PersistentVolumePhase.AVAILABLE
                || (!upstreamPhaseOrder && phase == PersistentVolumePhase.PENDING);
        return new StaticVolume(
                volume,
                StorageClasses.nameOf(volume).orElse(""),
                volume.spec().nodeAffinity().flatMap(nodes -> nodes.required()),
                takeable,
                takeable && phaseFits && volume.spec().claimRef().isEmpty());
    }

    String name() {
        return volume.metadata().name();
    }

    Quantity capacity() {
        return volume.spec().storage();
    }

    /** The claim that its claimRef names. */
    Optional<ObjectKey> claimedBy() {
        return volume.spec().claimRef().map(ref -> ObjectKey.of(ref.namespace(), ref.name()));
    }

    /** M(pv, claim). */
    boolean isFor(PersistentVolumeClaim claim) {
        return volume.spec()
                .claimRef()
                .filter(ref -> names(ref, claim)
                        && (ref.uid().isEmpty()
                                || ref.uid().equals(claim.metadata().uid())))
                .isPresent();
    }

    private static boolean names(ObjectReference ref, PersistentVolumeClaim claim) {
        return ref.name().equals(claim.metadata().name())
                && ref.namespace().equals(claim.metadata().namespace());
    }

    boolean namesNoUid() {
        return volume.spec().claimRef().filter(ref -> !ref.uid().isEmpty()).isEmpty();
    }

    /** F4 to F7. */
    boolean satisfies(PersistentVolumeClaim claim) {
        return takeable
                && capacity().compareTo(claim.spec().requestedStorage()) >= 0
                && modeOf(volume) == claim.spec().volumeMode().orElse(VolumeMode.FILESYSTEM)
                && volume.spec()
                        .volumeAttributesClassName()
                        .orElse("")
                        .equals(claim.spec().volumeAttributesClassName().orElse(""));
    }

    /** F12. */
    boolean isSelectedBy(PersistentVolumeClaim claim) {
        return claim.spec()
                .selector()
                .map(selector -> selector.matches(volume.metadata().labels()))
                .orElse(true);
    }

    /** F15. */
    boolean offersModesOf(PersistentVolumeClaim claim) {
        return !claim.spec().accessModes().contains(AccessMode.UNKNOWN)
                && volume.spec().accessModes().containsAll(claim.spec().accessModes());
    }

    private static VolumeMode modeOf(PersistentVolume volume) {
        return volume.spec().volumeMode().orElse(VolumeMode.FILESYSTEM);
    }
}
