// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A claim in the pod's namespace, as the source of a pod's volume.
 *
 * @param claimName the claim
 * @param readOnly whether the pod may not write
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PersistentVolumeClaimSource(String claimName, boolean readOnly) {
    /** The source type. */
    public static final String TYPE = "persistentVolumeClaim";

    /** A claim that the pod may write to. */
    public PersistentVolumeClaimSource(String claimName) {
        this(claimName, false);
    }

    /** The view of a source; empty if it is of another type or names no claim. Fields of a wrong type read as absent. */
    public static Optional<PersistentVolumeClaimSource> of(VolumeSource source) {
        return source.type().equals(TYPE)
                ? source.attributes()
                        .text("claimName")
                        .map(name -> new PersistentVolumeClaimSource(name, source.flag("readOnly")))
                : Optional.empty();
    }

    /** The source; absent fields are left out. */
    public VolumeSource toSource() {
        return new SourceFields(TYPE)
                .put("claimName", claimName)
                .put("readOnly", readOnly)
                .build();
    }
}
