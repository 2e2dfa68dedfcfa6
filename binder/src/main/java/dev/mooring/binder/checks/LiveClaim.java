// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.checks;

import dev.mooring.runtime.control.EffectResult;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.Optional;

/**
 * What a live read of a volume's claim proves. The answer itself is looked at, not what the cache has made of it: a cache that was told
 * a wrong list does not believe a version that the list should have shown (semantics/binder §5.5, kubernetes#48081).
 */
public final class LiveClaim {
    private LiveClaim() {}

    /** Whether it proves that the claim has the volume no more: it has gone, is another of its name, or has another volume. */
    public static boolean hasLeft(EffectResult read, PersistentVolume volume) {
        if (read.storeFailure().equals(Optional.of(Failure.NOT_FOUND))) {
            return true;
        }
        return claimIn(read).filter(claim -> !has(claim, volume)).isPresent();
    }

    /** Whether it proves that the claim still has the volume, or may yet get it. */
    public static boolean holds(EffectResult read, PersistentVolume volume) {
        return claimIn(read).filter(claim -> has(claim, volume)).isPresent();
    }

    private static Optional<PersistentVolumeClaim> claimIn(EffectResult read) {
        return read.match(stored -> stored.result().value(), performed -> Optional.empty())
                .filter(PersistentVolumeClaim.class::isInstance)
                .map(PersistentVolumeClaim.class::cast);
    }

    private static boolean has(PersistentVolumeClaim claim, PersistentVolume volume) {
        String uid = volume.spec().claimRef().map(ObjectReference::uid).orElse("");
        String named = claim.spec().volumeName();
        return uid.equals(claim.metadata().uid())
                && (named.isEmpty() || named.equals(volume.metadata().name()));
    }
}
