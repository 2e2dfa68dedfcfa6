// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.PersistentVolumeClaim;

/** Fields of a claim as matching reads them. */
final class ClaimFields {
    private ClaimFields() {}

    /** The name of the claim's class; empty if it has none (F13). */
    static String storageClassOf(PersistentVolumeClaim claim) {
        // StorageClasses.nameOf says the same, with an Optional that a match cannot afford.
        String older = claim.metadata().annotations().get(Annotations.BETA_STORAGE_CLASS);
        return older == null ? claim.spec().storageClassName().orElse("") : older;
    }
}
