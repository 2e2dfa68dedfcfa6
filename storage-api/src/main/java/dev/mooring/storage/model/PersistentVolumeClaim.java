// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/**
 * A wish for storage.
 *
 * @param metadata metadata
 * @param spec what it wants
 * @param status where it stands
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PersistentVolumeClaim(
        ObjectMeta metadata, PersistentVolumeClaimSpec spec, PersistentVolumeClaimStatus status)
        implements KubernetesObject {
    /** The same with another metadata. */
    public PersistentVolumeClaim withMetadata(ObjectMeta newMetadata) {
        return new PersistentVolumeClaim(newMetadata, spec, status);
    }

    /** The same with another spec. */
    public PersistentVolumeClaim withSpec(PersistentVolumeClaimSpec newSpec) {
        return new PersistentVolumeClaim(metadata, newSpec, status);
    }

    /** The same with another status. */
    public PersistentVolumeClaim withStatus(PersistentVolumeClaimStatus newStatus) {
        return new PersistentVolumeClaim(metadata, spec, newStatus);
    }

    /** A new claim. */
    public static PersistentVolumeClaim of(String namespace, String name, PersistentVolumeClaimSpec spec) {
        return new PersistentVolumeClaim(ObjectMeta.named(namespace, name), spec, PersistentVolumeClaimStatus.EMPTY);
    }
}
