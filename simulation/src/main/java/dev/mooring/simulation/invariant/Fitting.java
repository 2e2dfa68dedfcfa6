// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.invariant;

import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import java.util.Optional;

/** Which free volume a claim may be given (semantics/binder §2.2, F3–F15), said without a look at the matching. */
final class Fitting {
    private static final String STORAGE = "storage";

    private Fitting() {}

    /** Whether a free volume fits a claim. */
    static boolean fits(PersistentVolume volume, PersistentVolumeClaim claim) {
        return !volume.metadata().isDeleting()
                && volume.metadata().annotation(Annotations.RECLAIMING).isEmpty()
                && serves(volume, claim)
                && volume.spec()
                        .storageClassName()
                        .orElse("")
                        .equals(claim.spec().storageClassName().orElse(""))
                && claim.spec()
                        .selector()
                        .map(selector -> selector.matches(volume.metadata().labels()))
                        .orElse(true);
    }

    /** Whether a volume has what even one that names its claim must have: room, modes, class of attributes (§2.1, F4–F6). */
    static boolean serves(PersistentVolume volume, PersistentVolumeClaim claim) {
        return volume.spec()
                                .capacity()
                                .getOrDefault(STORAGE, Quantity.ZERO)
                                .compareTo(claim.spec().requestedStorage())
                        >= 0
                && modeOf(volume.spec().volumeMode()).equals(modeOf(claim.spec().volumeMode()))
                && volume.spec()
                        .volumeAttributesClassName()
                        .orElse("")
                        .equals(claim.spec().volumeAttributesClassName().orElse(""))
                && volume.spec().accessModes().containsAll(claim.spec().accessModes());
    }

    private static VolumeMode modeOf(Optional<VolumeMode> mode) {
        return mode.orElse(VolumeMode.FILESYSTEM);
    }
}
