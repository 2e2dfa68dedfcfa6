// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.bound;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import java.util.Optional;

/**
 * A claim and the volume that it is bound to, each naming the other.
 *
 * @param claim the claim; its phase is Bound
 * @param volume the volume; its claimRef has the claim's namespace and uid (semantics/binder §3.5 X2)
 */
public record BoundPair(PersistentVolumeClaim claim, PersistentVolume volume) {
    /** The pair of a claim; empty if the claim is not bound, or its volume is not known or is another claim's. */
    public static Optional<BoundPair> of(Caches caches, ObjectKey key) {
        return caches.get(Kinds.PERSISTENT_VOLUME_CLAIM, key)
                .filter(claim -> claim.status().phase() == ClaimPhase.BOUND)
                .flatMap(claim -> caches.get(
                                Kinds.PERSISTENT_VOLUME,
                                ObjectKey.cluster(claim.spec().volumeName()))
                        .filter(volume -> isClaimedBy(volume, claim))
                        .map(volume -> new BoundPair(claim, volume)));
    }

    private static boolean isClaimedBy(PersistentVolume volume, PersistentVolumeClaim claim) {
        return volume.spec()
                .claimRef()
                .filter(ref -> ref.namespace().equals(claim.metadata().namespace()))
                .filter(ref -> ref.uid().equals(claim.metadata().uid()))
                .isPresent();
    }

    /** The claim that a volume names. */
    public static Optional<ObjectKey> claimOf(PersistentVolume volume) {
        return volume.spec().claimRef().map(ref -> ObjectKey.of(ref.namespace(), ref.name()));
    }
}
