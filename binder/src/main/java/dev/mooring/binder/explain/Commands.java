// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.runtime.plugin.NodeIntent;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;

/** The commands that remedies suggest. */
final class Commands {
    private Commands() {}

    static String patchVolume(PersistentVolume volume, String patch) {
        return "kubectl patch pv " + volume.metadata().name() + " --type merge -p '" + patch + "'";
    }

    /** By the command line, which looks first whether somebody may still use the volume. */
    static String release(PersistentVolume volume, String way) {
        return "mooring release pv/" + volume.metadata().name() + " --" + way;
    }

    /** Takes away what stands on a volume while its storage is being reclaimed. */
    static String unmarkVolume(PersistentVolume volume) {
        return "kubectl annotate pv " + volume.metadata().name() + " " + Annotations.RECLAIMING + "- "
                + NodeIntent.RECLAIM_ON + "- " + NodeIntent.RECLAIM_RESULT + "-";
    }

    static String patchClaim(PersistentVolumeClaim claim, String patch) {
        return "kubectl patch pvc -n " + claim.metadata().namespace() + " "
                + claim.metadata().name() + " --type merge -p '" + patch + "'";
    }
}
