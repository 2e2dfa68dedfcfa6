// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.VolumeSpec;

/** A volume object as plugins see it. */
public final class VolumeSpecs {
    private VolumeSpecs() {}

    /** The volume; it has to have a source. */
    public static VolumeSpec of(PersistentVolume volume) {
        return new VolumeSpec(
                volume.metadata().name(),
                volume.metadata().uid(),
                volume.spec().source().orElseThrow(),
                volume.spec().accessModes(),
                PrebindCheck.modeOf(volume),
                volume.spec().capacity().getOrDefault("storage", Quantity.ZERO),
                volume.spec().mountOptions(),
                volume.metadata().annotations());
    }
}
