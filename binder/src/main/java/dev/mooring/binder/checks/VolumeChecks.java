// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.checks;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.VolumeMode;
import java.util.Optional;

/**
 * Whether a volume says something that can be acted upon (see {@link ObjectChecks}). Once it is claimed, only who claims it is asked: it
 * is released and reclaimed whatever it is like.
 */
public final class VolumeChecks {
    private static final String CLAIM_KIND = "PersistentVolumeClaim";

    private VolumeChecks() {}

    /** What is wrong; empty if nothing is. */
    public static Optional<String> problem(PersistentVolume volume) {
        Optional<ObjectReference> claimRef = volume.spec().claimRef();
        Optional<String> unusable = claimRef.flatMap(VolumeChecks::claimRef);
        boolean claimed = claimRef.filter(ref -> !ref.uid().isEmpty()).isPresent();
        return unusable.isPresent() || claimed ? unusable : spec(volume);
    }

    private static Optional<String> claimRef(ObjectReference ref) {
        if (!ref.kind().isEmpty() && !ref.kind().equals(CLAIM_KIND)) {
            return Optional.of("spec.claimRef.kind: Unsupported value: supported values: \"" + CLAIM_KIND + "\"");
        }
        return ref.name().isEmpty() || ref.namespace().isEmpty()
                ? Optional.of("spec.claimRef: Required value: name and namespace of a claim")
                : Optional.empty();
    }

    private static Optional<String> spec(PersistentVolume volume) {
        return ObjectChecks.name("metadata.name", volume.metadata().name())
                .or(() -> ObjectChecks.storage("spec.capacity", volume.spec().capacity()))
                .or(() -> ObjectChecks.tooManyModes(volume.spec().accessModes()))
                .or(() -> modes(volume));
    }

    /** A mode that this version does not know is no hindrance beside one that it does. */
    private static Optional<String> modes(PersistentVolume volume) {
        if (volume.spec().accessModes().contains(AccessMode.UNKNOWN)
                && volume.spec().accessModes().stream().allMatch(AccessMode.UNKNOWN::equals)) {
            return Optional.of("spec.accessModes: Unsupported value: names no mode that exists");
        }
        return volume.spec().volumeMode().equals(Optional.of(VolumeMode.UNKNOWN))
                ? Optional.of("spec.volumeMode: Unsupported value: supported values: \"Block\", \"Filesystem\"")
                : Optional.empty();
    }
}
