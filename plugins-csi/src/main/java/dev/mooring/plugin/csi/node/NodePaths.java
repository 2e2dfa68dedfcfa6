// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.node;

import dev.mooring.plugin.support.Sha256;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.VolumeId;
import java.nio.file.Path;

/**
 * What a volume's identity says, and where drivers publish devices. Pure.
 *
 * @param own the directory of all drivers' volumes, {@code plugins/kubernetes.io/csi}
 */
public record NodePaths(Path own) {
    /** The driver of a volume. */
    public static String driver(VolumeId volume) {
        return volume.backend().substring(0, separator(volume));
    }

    /** The driver's name for the volume. */
    public static String handle(VolumeId volume) {
        return volume.backend().substring(separator(volume) + 1);
    }

    private static int separator(VolumeId volume) {
        int at = volume.backend().indexOf('^');
        if (at < 0) {
            throw new IllegalArgumentException("not the volume of a CSI driver: " + volume);
        }
        return at;
    }

    /** The directory in which devices are staged, published and held. */
    public Path devices() {
        return own.resolve("volumeDevices");
    }

    /** Where the driver publishes a device for one pod; it makes the file itself. */
    Path devicePublished(VolumeId volume, PodRef pod) {
        return devices()
                .resolve("publish")
                .resolve(Sha256.hex(volume.backend()))
                .resolve(pod.uid());
    }
}
