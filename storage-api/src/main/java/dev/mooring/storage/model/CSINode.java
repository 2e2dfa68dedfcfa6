// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/**
 * What CSI drivers say of a node.
 *
 * @param metadata metadata
 * @param spec the drivers
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CSINode(ObjectMeta metadata, CSINodeSpec spec) implements KubernetesObject {
    /** The same with another metadata. */
    public CSINode withMetadata(ObjectMeta newMetadata) {
        return new CSINode(newMetadata, spec);
    }

    /** The same with another spec. */
    public CSINode withSpec(CSINodeSpec newSpec) {
        return new CSINode(metadata, newSpec);
    }
}
