// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Configuration.
 *
 * @param metadata metadata
 * @param data texts by key
 * @param binaryData bytes by key, in base64
 * @param immutable whether it never changes
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ConfigMap(
        ObjectMeta metadata, Map<String, String> data, Map<String, String> binaryData, Optional<Boolean> immutable)
        implements KubernetesObject {
    /** Copies lists and maps. */
    public ConfigMap {
        data = Copies.map(data);
        binaryData = Copies.map(binaryData);
    }

    /** The same with another metadata. */
    public ConfigMap withMetadata(ObjectMeta newMetadata) {
        return new ConfigMap(newMetadata, data, binaryData, immutable);
    }

    /** The same with another data. */
    public ConfigMap withData(Map<String, String> newData) {
        return new ConfigMap(metadata, newData, binaryData, immutable);
    }

    /** The same with another binaryData. */
    public ConfigMap withBinaryData(Map<String, String> newBinaryData) {
        return new ConfigMap(metadata, data, newBinaryData, immutable);
    }

    /** The same with another immutable. */
    public ConfigMap withImmutable(Optional<Boolean> newImmutable) {
        return new ConfigMap(metadata, data, binaryData, newImmutable);
    }
}
