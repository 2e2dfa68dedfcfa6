// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.checks;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.VolumeMode;
import java.util.Optional;

/**
 * Whether a claim that has no volume yet says something that can be acted upon (see {@link ObjectChecks}). One that is bound is not
 * judged: what it has it keeps.
 */
public final class ClaimChecks {
    private ClaimChecks() {}

    /** What is wrong; empty if nothing is. */
    public static Optional<String> problem(PersistentVolumeClaim claim) {
        return ObjectChecks.name("metadata.name", claim.metadata().name())
                .or(() -> ObjectChecks.storage(
                        "spec.resources.requests", claim.spec().resources().requests()))
                .or(() -> ObjectChecks.tooManyModes(claim.spec().accessModes()))
                .or(() -> modes(claim))
                .or(() -> ObjectChecks.name("spec.volumeName", claim.spec().volumeName()))
                .or(() -> ObjectChecks.name(
                        "spec.storageClassName", claim.spec().storageClassName().orElse("")));
    }

    private static Optional<String> modes(PersistentVolumeClaim claim) {
        if (claim.spec().accessModes().contains(AccessMode.UNKNOWN)) {
            return Optional.of("spec.accessModes: Unsupported value: names a mode that does not exist");
        }
        return claim.spec().volumeMode().equals(Optional.of(VolumeMode.UNKNOWN))
                ? Optional.of("spec.volumeMode: Unsupported value: supported values: \"Block\", \"Filesystem\"")
                : Optional.empty();
    }
}
