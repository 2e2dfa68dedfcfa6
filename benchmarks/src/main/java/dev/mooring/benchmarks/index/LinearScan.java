// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.index;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looking at every volume with the predicates of FindBestMatch in their order (semantics §2.2), without allocating anything: what a
 * careful implementation without an index does. In order of names, so that the first of equal volumes is the right one.
 */
final class LinearScan {
    private static final int TIERS = 5;

    private final PersistentVolume[] volumes;
    private final @Nullable PersistentVolume[] best = new PersistentVolume[TIERS];

    LinearScan(PersistentVolume[] unordered) {
        volumes = unordered.clone();
        Arrays.sort(volumes, Comparator.comparing(volume -> volume.metadata().name()));
    }

    @Nullable
    PersistentVolume find(PersistentVolumeClaim claim) {
        Quantity request = claim.spec().resources().requests().getOrDefault("storage", Quantity.ZERO);
        VolumeMode mode = claim.spec().volumeMode().orElse(VolumeMode.FILESYSTEM);
        String attributes = claim.spec().volumeAttributesClassName().orElse("");
        String wantedClass = classOf(
                claim.metadata().annotations().get(Annotations.BETA_STORAGE_CLASS),
                claim.spec().storageClassName().orElse(""));
        LabelSelector selector = claim.spec().selector().orElse(null);
        List<AccessMode> modes = claim.spec().accessModes();
        Arrays.fill(best, null);
        for (PersistentVolume volume : volumes) {
            if (!isFor(volume.spec().claimRef().orElse(null), claim) // F3
                    || capacityOf(volume).compareTo(request) < 0 // F4
                    || volume.spec().volumeMode().orElse(VolumeMode.FILESYSTEM) != mode // F5
                    || !volume.spec().volumeAttributesClassName().orElse("").equals(attributes) // F6
                    || volume.metadata().deletionTimestamp().isPresent()) { // F7
                continue;
            }
            if (volume.spec().claimRef().isPresent()) {
                return volume; // F9
            }
            if (volume.status().phase() != PersistentVolumePhase.AVAILABLE // F11
                    || (selector != null && !selector.matches(volume.metadata().labels())) // F12
                    || !classOf(
                                    volume.metadata().annotations().get(Annotations.BETA_STORAGE_CLASS),
                                    volume.spec().storageClassName().orElse(""))
                            .equals(wantedClass) // F13
                    || !volume.spec().accessModes().containsAll(modes)) {
                continue;
            }
            int tier = volume.spec().accessModes().size();
            PersistentVolume bestOfTier = best[tier];
            if (bestOfTier == null || capacityOf(volume).compareTo(capacityOf(bestOfTier)) < 0) { // F16
                best[tier] = volume;
            }
        }
        for (PersistentVolume found : best) {
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static String classOf(@Nullable String older, String name) {
        return older == null ? name : older;
    }

    private static Quantity capacityOf(PersistentVolume volume) {
        return volume.spec().capacity().getOrDefault("storage", Quantity.ZERO);
    }

    private static boolean isFor(@Nullable ObjectReference reference, PersistentVolumeClaim claim) {
        return reference == null
                || (reference.name().equals(claim.metadata().name())
                        && reference.namespace().equals(claim.metadata().namespace())
                        && (reference.uid().isEmpty()
                                || reference.uid().equals(claim.metadata().uid())));
    }
}
