// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import org.apiguardian.api.API;

/**
 * A wish for storage.
 *
 * @param metadata metadata
 * @param spec what it wants
 * @param status where it stands
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record PersistentVolumeClaim(
        ObjectMeta metadata, PersistentVolumeClaimSpec spec, PersistentVolumeClaimStatus status)
        implements KubernetesObject, PersistentVolumeClaimBuilder.With {
    /** A new claim. */
    public static PersistentVolumeClaim of(String namespace, String name, PersistentVolumeClaimSpec spec) {
        return new PersistentVolumeClaim(ObjectMeta.named(namespace, name), spec, PersistentVolumeClaimStatus.EMPTY);
    }
}
