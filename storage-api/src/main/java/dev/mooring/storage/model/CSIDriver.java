// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/**
 * A CSI driver of the cluster.
 *
 * @param metadata metadata
 * @param spec what it wants
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CSIDriver(ObjectMeta metadata, CSIDriverSpec spec) implements KubernetesObject {
    /** The same with another metadata. */
    public CSIDriver withMetadata(ObjectMeta newMetadata) {
        return new CSIDriver(newMetadata, spec);
    }

    /** The same with another spec. */
    public CSIDriver withSpec(CSIDriverSpec newSpec) {
        return new CSIDriver(metadata, newSpec);
    }
}
