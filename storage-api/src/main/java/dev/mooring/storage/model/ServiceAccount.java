// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/**
 * An identity for pods.
 *
 * @param metadata metadata
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ServiceAccount(ObjectMeta metadata) implements KubernetesObject {
    /** The same with another metadata. */
    public ServiceAccount withMetadata(ObjectMeta newMetadata) {
        return new ServiceAccount(newMetadata);
    }
}
