// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/**
 * A namespace.
 *
 * @param metadata metadata
 * @param spec what it is
 * @param status where it stands
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Namespace(ObjectMeta metadata, NamespaceSpec spec, NamespaceStatus status) implements KubernetesObject {
    /** The same with another metadata. */
    public Namespace withMetadata(ObjectMeta newMetadata) {
        return new Namespace(newMetadata, spec, status);
    }

    /** The same with another spec. */
    public Namespace withSpec(NamespaceSpec newSpec) {
        return new Namespace(metadata, newSpec, status);
    }

    /** The same with another status. */
    public Namespace withStatus(NamespaceStatus newStatus) {
        return new Namespace(metadata, spec, newStatus);
    }
}
