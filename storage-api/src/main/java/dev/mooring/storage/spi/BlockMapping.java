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
}
