// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/**
 * A piece of storage of the cluster.
 *
 * @param metadata metadata
 * @param spec what it is
 * @param status where it stands
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PersistentVolume(ObjectMeta metadata, PersistentVolumeSpec spec, PersistentVolumeStatus status)
        implements KubernetesObject {
    /** The same with another metadata. */
    public PersistentVolume withMetadata(ObjectMeta newMetadata) {
        return new PersistentVolume(newMetadata, spec, status);
    }

    /** The same with another spec. */
    public PersistentVolume withSpec(PersistentVolumeSpec newSpec) {
        return new PersistentVolume(metadata, newSpec, status);
    }

    /** The same with another status. */
    public PersistentVolume withStatus(PersistentVolumeStatus newStatus) {
        return new PersistentVolume(metadata, spec, newStatus);
    }

    /** A new volume. */
    public static PersistentVolume of(String name, PersistentVolumeSpec spec) {
        return new PersistentVolume(ObjectMeta.named(name), spec, PersistentVolumeStatus.EMPTY);
    }

    /** A new volume. */
    public static PersistentVolume of(ObjectMeta metadata, PersistentVolumeSpec spec) {
        return new PersistentVolume(metadata, spec, PersistentVolumeStatus.EMPTY);
    }
}
