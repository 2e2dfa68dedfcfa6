// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.peer;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.AttachmentNames;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeAttachmentSource;
import dev.mooring.storage.model.VolumeAttachmentSpec;
import dev.mooring.storage.model.VolumeAttachmentStatus;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.VolumeSpec;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A volume that shall be on a node. */
record Wanted(String volume, String driver, String handle, String node, boolean many) {
    String key() {
        return volume + "@" + node;
    }

    String reportedName() {
        return "kubernetes.io/csi/" + driver + "^" + handle;
    }

    ObjectKey slot() {
        return ObjectKey.cluster(AttachmentNames.of(handle, driver, node));
    }

    /** Whether the driver's calls are made here: its name is one of a plugin. */
    boolean isServedHere() {
        return driver.equals(driver.toLowerCase(Locale.ROOT));
    }

    PluginName plugin() {
        return new PluginName(driver.toLowerCase(Locale.ROOT));
    }

    /** The volume on a node; empty for volumes that are not attached. */
    static Optional<Wanted> of(PersistentVolume volume, String node) {
        boolean many = volume.spec().accessModes().stream()
                .anyMatch(mode -> mode == AccessMode.READ_WRITE_MANY || mode == AccessMode.READ_ONLY_MANY);
        return volume.spec()
                .source()
                .flatMap(CsiSource::of)
                .map(csi -> new Wanted(volume.metadata().name(), csi.driver(), csi.volumeHandle(), node, many));
    }

    /** What operations of the volume lock: the volume, unless many nodes may have it. */
    String lock() {
        return many ? key() : volume;
    }

    VolumeAttachment newSlot() {
        return new VolumeAttachment(
                ObjectMeta.named(slot().name()),
                new VolumeAttachmentSpec(
                        driver, node, VolumeAttachmentSource.EMPTY.withPersistentVolumeName(Optional.of(volume))),
                VolumeAttachmentStatus.EMPTY);
    }

    VolumeSpec spec(Caches caches) {
        PersistentVolume found =
                caches.get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(volume)).orElseThrow();
        return new VolumeSpec(
                volume,
                found.metadata().uid(),
                found.spec().source().orElseThrow(),
                found.spec().accessModes(),
                VolumeMode.FILESYSTEM,
                Quantity.ZERO,
                List.of(),
                Map.of());
    }
}
