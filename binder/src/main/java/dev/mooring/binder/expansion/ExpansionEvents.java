// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.expansion;

import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Concern;
import dev.mooring.runtime.control.Effect;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.StorageClasses;
import dev.mooring.storage.spi.PluginName;

/** News for people, with upstream's component, reasons and, where they are true here, texts (semantics/binder §0.3, §3.5). */
final class ExpansionEvents {
    private static final String COMPONENT = "volume_expand";
    private static final String FILE_SYSTEM_RESIZE_REQUIRED = "FileSystemResizeRequired";

    private ExpansionEvents() {}

    /** A claim as one that waits to grow. */
    static Concern concern(PersistentVolumeClaim claim) {
        return Concern.of(Kinds.PERSISTENT_VOLUME_CLAIM, claim, "VolumeResizeFailed", COMPONENT);
    }

    /** A claim that waits for a node, which may take until a pod uses it: nothing has failed. */
    static Concern waitingForNode(PersistentVolumeClaim claim) {
        return Concern.of(Kinds.PERSISTENT_VOLUME_CLAIM, claim, FILE_SYSTEM_RESIZE_REQUIRED, COMPONENT)
                .asNormal();
    }

    static Effect external(PersistentVolumeClaim claim, boolean warning, String message) {
        return event(claim, warning, "ExternalExpanding", message);
    }

    static Effect resizing(PersistentVolumeClaim claim, PersistentVolume volume, PluginName plugin) {
        return event(
                claim,
                false,
                "Resizing",
                plugin + " is resizing volume " + volume.metadata().name());
    }

    static String failure(PersistentVolume volume, PluginName plugin, String why) {
        return "resize volume \"" + volume.metadata().name() + "\" by resizer \"" + plugin + "\" failed: " + why;
    }

    static String notAllowed(PersistentVolumeClaim claim, PersistentVolume volume) {
        String storageClass = StorageClasses.nameOf(claim).orElse("");
        return keeps(claim, volume) + ": "
                + (storageClass.isEmpty()
                        ? "the claim has no storage class, and so none that allows expansion"
                        : "storage class \"" + storageClass + "\" does not allow expansion, or does not exist");
    }

    static String grownByOthers(PersistentVolumeClaim claim, PersistentVolume volume) {
        return keeps(claim, volume)
                + ": only an administrator can make this storage larger. Then set spec.capacity.storage of the volume to its new size";
    }

    private static String keeps(PersistentVolumeClaim claim, PersistentVolume volume) {
        return "volume \"" + volume.metadata().name() + "\" keeps its "
                + volume.spec().storage() + ", though the claim requests "
                + claim.spec().requestedStorage();
    }

    static Effect failed(PersistentVolumeClaim claim, String message) {
        return event(claim, true, "VolumeResizeFailed", message);
    }

    static Effect nodeRequired(PersistentVolumeClaim claim) {
        return event(claim, false, FILE_SYSTEM_RESIZE_REQUIRED, "Require file system resize of volume on node");
    }

    static Effect succeeded(PersistentVolumeClaim claim) {
        return event(claim, false, "VolumeResizeSuccessful", "Resize volume succeeded");
    }

    private static Effect event(PersistentVolumeClaim claim, boolean warning, String reason, String message) {
        return warning
                ? Announcement.warning(Kinds.PERSISTENT_VOLUME_CLAIM, claim, reason, message, COMPONENT)
                : Announcement.normal(Kinds.PERSISTENT_VOLUME_CLAIM, claim, reason, message, COMPONENT);
    }
}
