// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.modification;

import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Concern;
import dev.mooring.runtime.control.Effect;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolumeClaim;

/** News for people, with upstream's reasons (semantics/binder §0.3). */
final class ModificationEvents {
    private static final String COMPONENT = "volume_modify";

    private ModificationEvents() {}

    /** A claim as one that waits for other attributes. */
    static Concern concern(PersistentVolumeClaim claim) {
        return Concern.of(Kinds.PERSISTENT_VOLUME_CLAIM, claim, "VolumeModifyFailed", COMPONENT);
    }

    static Effect modifying(PersistentVolumeClaim claim, String target, String plugin) {
        return normal(claim, "VolumeModify", plugin + " is modifying volume " + volume(claim) + " with vac " + target);
    }

    static Effect succeeded(PersistentVolumeClaim claim, String target, String plugin) {
        return normal(
                claim,
                "VolumeModifySuccessful",
                plugin + " modified volume " + volume(claim) + " with vac " + target + " successfully");
    }

    static Effect cancelled(PersistentVolumeClaim claim) {
        return normal(claim, "VolumeModifyCanceled", "Cancelled modify.");
    }

    static Effect failed(PersistentVolumeClaim claim, String message) {
        return Announcement.warning(Kinds.PERSISTENT_VOLUME_CLAIM, claim, "VolumeModifyFailed", message, COMPONENT);
    }

    private static Effect normal(PersistentVolumeClaim claim, String reason, String message) {
        return Announcement.normal(Kinds.PERSISTENT_VOLUME_CLAIM, claim, reason, message, COMPONENT);
    }

    private static String volume(PersistentVolumeClaim claim) {
        return claim.spec().volumeName();
    }
}
