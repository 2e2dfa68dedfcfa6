// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;

/** The commands that remedies suggest. */
final class Commands {
    private Commands() {}

    static String patchVolume(PersistentVolume volume, String patch) {
        return "kubectl patch pv " + volume.metadata().name() + " --type merge -p '" + patch + "'";
    }

    static String patchClaim(PersistentVolumeClaim claim, String patch) {
        return "kubectl patch pvc -n " + claim.metadata().namespace() + " "
                + claim.metadata().name() + " --type merge -p '" + patch + "'";
    }
}
