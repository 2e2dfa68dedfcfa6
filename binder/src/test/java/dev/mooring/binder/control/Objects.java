// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.NfsSource;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ReclaimPolicy;
import java.util.List;
import java.util.Optional;

/** Volumes and claims as short as a table needs them. */
final class Objects {
    private Objects() {}

    static PersistentVolume volume(String name, String size) {
        return volume(name, size, ReclaimPolicy.RETAIN);
    }

    static PersistentVolume volume(String name, String size, ReclaimPolicy policy) {
        return PersistentVolume.of(
                name,
                PersistentVolumeSpec.EMPTY
                        .withStorage(Quantity.parse(size))
                        .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE))
                        .withPersistentVolumeReclaimPolicy(policy)
                        .withSource(Optional.of(new NfsSource("nfs.example.com", "/" + name, false).toSource())));
    }

    static PersistentVolumeClaim claim(String name, String size) {
        return PersistentVolumeClaim.of(
                "default",
                name,
                PersistentVolumeClaimSpec.EMPTY
                        .withRequestedStorage(Quantity.parse(size))
                        .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE)));
    }

    static PersistentVolumeClaim ofClass(PersistentVolumeClaim claim, String className) {
        return claim.withSpec(claim.spec().withStorageClassName(Optional.of(className)));
    }

    static PersistentVolumeClaim naming(PersistentVolumeClaim claim, String volume) {
        return claim.withSpec(claim.spec().withVolumeName(volume));
    }

    static PersistentVolume claimedBy(PersistentVolume volume, String claim, String uid) {
        ObjectReference reference = new ObjectReference("PersistentVolumeClaim", "default", claim, uid, "v1", "", "");
        return volume.withSpec(volume.spec().withClaimRef(Optional.of(reference)));
    }
}
