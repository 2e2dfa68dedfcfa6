// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.checks;

import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.StorageClasses;
import dev.mooring.storage.model.VolumeMode;
import java.util.Optional;

/**
 * Whether a free volume may be bound to the claim that names it (semantics/binder §1.4, checkVolumeSatisfyClaim, in its order).
 * Sizes are compared exactly (D14).
 */
public final class PrebindCheck {
    private static final String STORAGE = "storage";

    private PrebindCheck() {}

    /** Why not; empty if it may. */
    public static Optional<String> problem(PersistentVolume volume, PersistentVolumeClaim claim) {
        if (isBeingReclaimed(volume)) {
            return Optional.of("its storage is being reclaimed");
        }
        if (volume.metadata().isDeleting()) {
            return Optional.of(
                    "the volume is marked for deletion \"" + volume.metadata().name() + "\"");
        }
        Quantity requested = claim.spec().resources().requests().getOrDefault(STORAGE, Quantity.ZERO);
        Quantity capacity = volume.spec().capacity().getOrDefault(STORAGE, Quantity.ZERO);
        if (capacity.compareTo(requested) < 0) {
            return Optional.of("requested PV is too small");
        }
        if (!StorageClasses.nameOf(volume)
                .orElse("")
                .equals(StorageClasses.nameOf(claim).orElse(""))) {
            return Optional.of("storageClassName does not match");
        }
        if (!volume.spec()
                .volumeAttributesClassName()
                .orElse("")
                .equals(claim.spec().volumeAttributesClassName().orElse(""))) {
            return Optional.of("volumeAttributesClassName does not match");
        }
        if (!modeOf(volume).equals(claim.spec().volumeMode().orElse(VolumeMode.FILESYSTEM))) {
            return Optional.of("incompatible volumeMode");
        }
        return volume.spec().accessModes().containsAll(claim.spec().accessModes())
                ? Optional.empty()
                : Optional.of("incompatible accessMode");
    }

    /** Whether what is left of the last user's data may still be in work: no other claim gets the volume then (D6). */
    public static boolean isBeingReclaimed(PersistentVolume volume) {
        return volume.metadata().annotation(Annotations.RECLAIMING).isPresent();
    }

    /** How a volume is used: one that does not say so has a file system. */
    public static VolumeMode modeOf(PersistentVolume volume) {
        return volume.spec().volumeMode().orElse(VolumeMode.FILESYSTEM);
    }
}
