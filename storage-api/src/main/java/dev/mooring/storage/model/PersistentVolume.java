// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import org.apiguardian.api.API;

/**
 * A piece of storage of the cluster.
 *
 * @param metadata metadata
 * @param spec what it is
 * @param status where it stands
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record PersistentVolume(ObjectMeta metadata, PersistentVolumeSpec spec, PersistentVolumeStatus status)
        implements KubernetesObject, PersistentVolumeBuilder.With {
    /** A new volume. */
    public static PersistentVolume of(String name, PersistentVolumeSpec spec) {
        return new PersistentVolume(ObjectMeta.named(name), spec, PersistentVolumeStatus.EMPTY);
    }

    /** A new volume. */
    public static PersistentVolume of(ObjectMeta metadata, PersistentVolumeSpec spec) {
        return new PersistentVolume(metadata, spec, PersistentVolumeStatus.EMPTY);
    }
}
