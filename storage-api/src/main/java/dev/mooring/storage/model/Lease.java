// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/**
 * A lease, by which a leader is elected.
 *
 * @param metadata metadata
 * @param spec who holds it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Lease(ObjectMeta metadata, LeaseSpec spec) implements KubernetesObject {
    /** The same with another metadata. */
    public Lease withMetadata(ObjectMeta newMetadata) {
        return new Lease(newMetadata, spec);
    }

    /** The same with another spec. */
    public Lease withSpec(LeaseSpec newSpec) {
        return new Lease(metadata, newSpec);
    }
}
