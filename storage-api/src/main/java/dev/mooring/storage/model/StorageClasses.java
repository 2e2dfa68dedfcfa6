// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.Optional;
import org.apiguardian.api.API;

/** How classes are named and chosen. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class StorageClasses {
    private StorageClasses() {}

    /**
     * The class of a volume: the older annotation wins by mere presence, even when empty (semantics/binder §0.1).
     *
     * @return the name; empty text for "none"; empty if nothing is said
     */
    public static Optional<String> nameOf(PersistentVolume volume) {
        return volume.metadata()
                .annotation(Annotations.BETA_STORAGE_CLASS)
                .or(() -> volume.spec().storageClassName());
    }

    /** The class of a claim; see {@link #nameOf(PersistentVolume)}. */
    public static Optional<String> nameOf(PersistentVolumeClaim claim) {
        return claim.metadata()
                .annotation(Annotations.BETA_STORAGE_CLASS)
                .or(() -> claim.spec().storageClassName());
    }

    /** Whether claims without a class get this one. */
    public static boolean isDefault(StorageClass storageClass) {
        return says(storageClass, Annotations.IS_DEFAULT_CLASS)
                || says(storageClass, Annotations.BETA_IS_DEFAULT_CLASS);
    }

    private static boolean says(StorageClass storageClass, String annotation) {
        return storageClass
                .metadata()
                .annotation(annotation)
                .filter("true"::equals)
                .isPresent();
    }
}
