// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Where a container sees a volume.
 *
 * @param name the volume's name in the pod
 * @param mountPath the path in the container
 * @param readOnly whether it may not write
 * @param subPath a path within the volume
 * @param subPathExpr a path within the volume, with variables
 * @param mountPropagation how mounts spread
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record VolumeMount(
        String name,
        String mountPath,
        boolean readOnly,
        String subPath,
        String subPathExpr,
        Optional<String> mountPropagation)
        implements VolumeMountBuilder.With {
    /** The whole of a volume, to be read and written. */
    public static VolumeMount of(String name, String mountPath) {
        return new VolumeMount(name, mountPath, false, "", "", Optional.empty());
    }
}
