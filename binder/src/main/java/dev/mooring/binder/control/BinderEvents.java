// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Concern;
import dev.mooring.runtime.control.Effect;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;

/** Events for people, with upstream's reasons (semantics/binder §0.3). */
final class BinderEvents {
    static final String COMPONENT = "persistentvolume-controller";

    private BinderEvents() {}

    /** A claim as one that waits. */
    static Concern concern(PersistentVolumeClaim claim) {
        return Concern.of(Kinds.PERSISTENT_VOLUME_CLAIM, claim, "FailedBinding", COMPONENT);
    }

    /** A volume as one that waits. */
    static Concern concern(PersistentVolume volume) {
        String reason = switch (volume.spec().persistentVolumeReclaimPolicy()) {
            case RECYCLE -> "VolumeFailedRecycle";
            case DELETE -> "VolumeFailedDelete";
            default -> "FailedBinding";
        };
        return Concern.of(Kinds.PERSISTENT_VOLUME, volume, reason, COMPONENT);
    }

    /** A claim that waits for the work of others: nothing has failed. */
    static Concern waiting(PersistentVolumeClaim claim, String reason) {
        return Concern.of(Kinds.PERSISTENT_VOLUME_CLAIM, claim, reason, COMPONENT)
                .asNormal();
    }

    /** A volume that waits for the work of others: nothing has failed. */
    static Concern waiting(PersistentVolume volume, String reason) {
        return Concern.of(Kinds.PERSISTENT_VOLUME, volume, reason, COMPONENT).asNormal();
    }

    static Effect normal(PersistentVolumeClaim claim, String reason, String message) {
        return Announcement.normal(Kinds.PERSISTENT_VOLUME_CLAIM, claim, reason, message, COMPONENT);
    }

    static Effect warning(PersistentVolumeClaim claim, String reason, String message) {
        return Announcement.warning(Kinds.PERSISTENT_VOLUME_CLAIM, claim, reason, message, COMPONENT);
    }

    static Effect normal(PersistentVolume volume, String reason, String message) {
        return Announcement.normal(Kinds.PERSISTENT_VOLUME, volume, reason, message, COMPONENT);
    }

    static Effect warning(PersistentVolume volume, String reason, String message) {
        return Announcement.warning(Kinds.PERSISTENT_VOLUME, volume, reason, message, COMPONENT);
    }
}
