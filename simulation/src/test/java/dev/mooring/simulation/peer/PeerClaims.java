// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.peer;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Effect;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.StorageClasses;
import dev.mooring.storage.model.VolumeBindingMode;
import dev.mooring.storage.model.VolumeMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** syncClaim (semantics/binder §1.2 to §1.5) and the search for a volume (§2), without nodes and attributes. */
final class PeerClaims {
    static final String COMPONENT = "persistentvolume-controller";

    private final Set<OldRule> old;

    PeerClaims(Set<OldRule> old) {
        this.old = old;
    }

    /** What a claim needs next: writes and events, or storage that does not exist yet. */
    record Step(List<Effect> effects, Optional<StorageClass> provision) {
        static Step of(Optional<Effect> write, Effect... events) {
            List<Effect> effects = new ArrayList<>(write.stream().toList());
            effects.addAll(List.of(events));
            return new Step(effects, Optional.empty());
        }
    }

    Step sync(PersistentVolumeClaim claim, Caches caches) {
        if (claim.metadata().annotation(Annotations.BIND_COMPLETED).isPresent()) {
            return bound(claim, caches);
        }
        return claim.spec().volumeName().isEmpty() ? unbound(claim, caches) : prebound(claim, caches);
    }

    /** U2 to U8. */
    private Step unbound(PersistentVolumeClaim claim, Caches caches) {
        String className = StorageClasses.nameOf(claim).orElse("");
        Optional<StorageClass> storageClass = caches.get(Kinds.STORAGE_CLASS, ObjectKey.cluster(className));
        boolean delay = storageClass
                .filter(found ->
                        found.volumeBindingMode().equals(Optional.of(VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER)))
                .isPresent();
        Optional<PersistentVolume> match = match(claim, delay, caches);
        if (match.isPresent()) {
            return Step.of(PeerWrites.bind(match.get(), claim));
        }
        Optional<StorageClass> standard = caches.of(Kinds.STORAGE_CLASS).all().stream()
                .filter(StorageClasses::isDefault)
                .findFirst();
        if (StorageClasses.nameOf(claim).isEmpty() && standard.isPresent()) {
            Optional<String> name = standard.map(found -> found.metadata().name());
            return Step.of(Optional.of(PeerWrites.update(
                    "default-class", claim, claim.withSpec(claim.spec().withStorageClassName(name)))));
        }
        if (delay && claim.metadata().annotation(Annotations.SELECTED_NODE).isEmpty()) {
            return pending(claim, normal(claim, "WaitForFirstConsumer", "waiting for first consumer to be created"));
        }
        if (className.isEmpty()) {
            return pending(
                    claim,
                    normal(
                            claim,
                            "FailedBinding",
                            "no persistent volumes available for this claim and no storage class is set"));
        }
        return new Step(List.of(), storageClass);
    }

    /** V1 to V6. */
    private Step prebound(PersistentVolumeClaim claim, Caches caches) {
        Optional<PersistentVolume> found = volumeOf(claim, caches);
        if (found.isEmpty()) {
            return pending(claim);
        }
        PersistentVolume volume = found.get();
        if (PeerWrites.isFor(volume, claim)) {
            return Step.of(PeerWrites.bind(volume, claim)); // no check whatsoever
        }
        if (volume.spec().claimRef().isPresent()) {
            return pending(claim, warning(claim, "FailedBinding", "volume already bound to a different claim."));
        }
        if (fits(volume, claim)) {
            return Step.of(PeerWrites.bind(volume, claim));
        }
        return !sameMode(volume, claim) && old.contains(OldRule.MODES_ARE_NOT_TOLD)
                ? pending(claim)
                : pending(claim, warning(claim, "VolumeMismatch", "Cannot bind to requested volume"));
    }

    /** B1 to B5. */
    private Step bound(PersistentVolumeClaim claim, Caches caches) {
        Optional<PersistentVolume> volume = volumeOf(claim, caches);
        if (volume.isEmpty()) {
            return old.contains(OldRule.CLAIMS_ARE_NEVER_LOST) ? Step.of(Optional.empty()) : lost(claim, "ClaimLost");
        }
        boolean ours = volume.get()
                .spec()
                .claimRef()
                .map(ref -> ref.uid().equals(claim.metadata().uid()))
                .orElse(true);
        return ours ? Step.of(PeerWrites.bind(volume.get(), claim)) : lost(claim, "ClaimMisbound");
    }

    private static Step lost(PersistentVolumeClaim claim, String reason) {
        Optional<Effect> write = PeerWrites.without(claim, ClaimPhase.LOST);
        return write.isEmpty()
                ? Step.of(write)
                : Step.of(write, warning(claim, reason, "Bound claim has lost its PersistentVolume"));
    }

    private static Step pending(PersistentVolumeClaim claim, Effect... events) {
        return Step.of(PeerWrites.without(claim, ClaimPhase.PENDING), events);
    }

    private static Optional<PersistentVolume> volumeOf(PersistentVolumeClaim claim, Caches caches) {
        return caches.get(
                Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(claim.spec().volumeName()));
    }

    // ---- the search ----

    /** The volume that is for the claim, in whatever phase; else the smallest free one, unless the pod's node decides. */
    private static Optional<PersistentVolume> match(PersistentVolumeClaim claim, boolean delay, Caches caches) {
        List<PersistentVolume> suitable = caches.of(Kinds.PERSISTENT_VOLUME).all().stream()
                .filter(volume -> sameMode(volume, claim) && !volume.metadata().isDeleting())
                .sorted(Comparator.comparing(
                                (PersistentVolume volume) -> volume.spec().storage())
                        .thenComparing(volume -> volume.metadata().name()))
                .toList();
        return suitable.stream()
                .filter(volume -> PeerWrites.isFor(volume, claim) && isLargeEnough(volume, claim))
                .findFirst()
                .or(() -> suitable.stream()
                        .filter(volume -> !delay && isFree(volume) && fits(volume, claim))
                        .findFirst());
    }

    private static boolean isLargeEnough(PersistentVolume volume, PersistentVolumeClaim claim) {
        return volume.spec().storage().compareTo(claim.spec().requestedStorage()) >= 0;
    }

    private static boolean isFree(PersistentVolume volume) {
        return volume.spec().claimRef().isEmpty() && volume.status().phase() == PersistentVolumePhase.AVAILABLE;
    }

    private static boolean fits(PersistentVolume volume, PersistentVolumeClaim claim) {
        return !volume.metadata().isDeleting()
                && isLargeEnough(volume, claim)
                && StorageClasses.nameOf(volume)
                        .orElse("")
                        .equals(StorageClasses.nameOf(claim).orElse(""))
                && sameMode(volume, claim)
                && volume.spec().accessModes().containsAll(claim.spec().accessModes());
    }

    static boolean sameMode(PersistentVolume volume, PersistentVolumeClaim claim) {
        return volume.spec().volumeMode().orElse(VolumeMode.FILESYSTEM)
                == claim.spec().volumeMode().orElse(VolumeMode.FILESYSTEM);
    }

    private static Effect normal(PersistentVolumeClaim claim, String reason, String message) {
        return Announcement.normal(Kinds.PERSISTENT_VOLUME_CLAIM, claim, reason, message, COMPONENT);
    }

    static Effect warning(PersistentVolumeClaim claim, String reason, String message) {
        return Announcement.warning(Kinds.PERSISTENT_VOLUME_CLAIM, claim, reason, message, COMPONENT);
    }
}
