// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import dev.mooring.storage.builder.WithBuilder;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;
import org.apiguardian.api.API;

/**
 * A volume to be prepared on a node, once for all pods there.
 *
 * @param volume the volume
 * @param stagingPath the directory chosen by the host, which exists
 * @param attached what {@link Attaching#attach} answered; empty if nothing was attached
 * @param readOnly whether nothing may write
 * @param group the {@code fsGroup} of the first pod, for a plugin that gives the files to it itself; empty for none. Later pods may have
 *     another one
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record StageRequest(
        VolumeSpec volume, Path stagingPath, Map<String, String> attached, boolean readOnly, OptionalInt group)
        implements StageRequestBuilder.With {
    /** Copies the map, in its order. */
    public StageRequest {
        attached = Ordered.copy(attached);
    }

    /** A request for a pod without a group. */
    public StageRequest(VolumeSpec volume, Path stagingPath, Map<String, String> attached, boolean readOnly) {
        this(volume, stagingPath, attached, readOnly, OptionalInt.empty());
    }
}
