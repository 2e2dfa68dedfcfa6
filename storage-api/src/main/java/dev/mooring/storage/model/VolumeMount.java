// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

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
public record VolumeMount(
        String name,
        String mountPath,
        boolean readOnly,
        String subPath,
        String subPathExpr,
        Optional<String> mountPropagation) {
    /** The same with another name. */
    public VolumeMount withName(String newName) {
        return new VolumeMount(newName, mountPath, readOnly, subPath, subPathExpr, mountPropagation);
    }

    /** The same with another mountPath. */
    public VolumeMount withMountPath(String newMountPath) {
        return new VolumeMount(name, newMountPath, readOnly, subPath, subPathExpr, mountPropagation);
    }

    /** The same with another readOnly. */
    public VolumeMount withReadOnly(boolean newReadOnly) {
        return new VolumeMount(name, mountPath, newReadOnly, subPath, subPathExpr, mountPropagation);
    }

    /** The same with another subPath. */
    public VolumeMount withSubPath(String newSubPath) {
        return new VolumeMount(name, mountPath, readOnly, newSubPath, subPathExpr, mountPropagation);
    }

    /** The same with another subPathExpr. */
    public VolumeMount withSubPathExpr(String newSubPathExpr) {
        return new VolumeMount(name, mountPath, readOnly, subPath, newSubPathExpr, mountPropagation);
    }

    /** The same with another mountPropagation. */
    public VolumeMount withMountPropagation(Optional<String> newMountPropagation) {
        return new VolumeMount(name, mountPath, readOnly, subPath, subPathExpr, newMountPropagation);
    }
}
