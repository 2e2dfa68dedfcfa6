// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.node;

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
     * @param devices the directory in which devices are staged and published: a kubelet names them by PersistentVolumes and Mooring by
     *     volumes, so those of a kubelet could not be undone
     * @return refused as NOT_FOUND if there is no such file
     */
    public static Outcome<Adopted> at(OperationContext context, Path mount, Path devices) {
        return mount.startsWith(devices)
                ? Outcome.deferred(
                        "a raw block device of a CSI driver is not adopted: stop its pod and unmount it before the node starts")
                : VolumeDataFile.beside(mount).read(context).map(source -> new Adopted(source, PluginState.NONE));
    }
}
