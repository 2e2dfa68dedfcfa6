// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.node;

import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.Reconstructing.Adopted;
import java.nio.file.Path;

/** Volumes of drivers that a kubelet, or a process whose records were lost, has staged or published (semantics/csi §6.4). */
public final class KubeletVolumes {
    private KubeletVolumes() {}

    /**
     * Recognises a volume by the file beside its mount.
     *
     * @param devices the directory in which devices are staged, published and held
     * @return refused as NOT_FOUND if there is no such file; deferred for what a driver itself has mounted of a device
     */
    public static Outcome<Adopted> at(OperationContext context, Path mount, Path devices) {
        Outcome<VolumeSource> source = mount.startsWith(devices)
                ? new KubeletDevices(devices).heldAt(context, mount)
                : VolumeDataFile.beside(mount).read(context);
        return source.map(found -> new Adopted(found, PluginState.NONE));
    }
}
