// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import java.nio.file.Path;
import org.apiguardian.api.API;

/** Gives a pod the volume as a raw device. The host makes links and holds the device; the plugin only finds it. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public non-sealed interface BlockMapping extends Capability {
    /**
     * Finds the device for a pod.
     *
     * @return the device's path
     */
    Outcome<Path> map(OperationContext context, PublishRequest request);

    /** Undoes {@link #map}. */
    Outcome<Nothing> unmap(OperationContext context, VolumeId volume, PodRef pod);

    /**
     * Where the host holds the devices of the volume for its pods, one file per pod, below its directory {@code plugins/<name of the
     * plugin>} (semantics/attach-and-mount §3.8); pure. The host refuses a path that leads elsewhere.
     *
     * @param volume a volume that {@link StoragePlugin#validate} found no fault with
     * @param id its identity
     * @return a relative path without {@code ..}, another one for every volume; by default {@code volumeDevices} and the SHA-256 of the
     *     back-end's name
     */
    default Path mapDirectory(VolumeSpec volume, VolumeId id) {
        return DefaultDirectories.map(id);
    }
}
