// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.VolumeSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Volumes as plugins see them. */
final class VolumeSpecs {
    private VolumeSpecs() {}

    /** A PersistentVolume; empty if it has no source. */
    static Optional<VolumeSpec> of(PersistentVolume volume) {
        return volume.spec()
                .source()
                .map(source -> new VolumeSpec(
                        volume.metadata().name(),
                        volume.metadata().uid(),
                        source,
                        volume.spec().accessModes(),
                        volume.spec().volumeMode().orElse(VolumeMode.FILESYSTEM),
                        volume.spec().storage(),
                        volume.spec().mountOptions(),
                        volume.metadata().annotations()));
    }

    /** A source written in a pod. */
    static VolumeSpec inline(String name, VolumeSource source) {
        return new VolumeSpec(name, "", source, List.of(), VolumeMode.FILESYSTEM, Quantity.ZERO, List.of(), Map.of());
    }
}
