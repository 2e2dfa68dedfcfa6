// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Secrets by key; they show in no text.
 *
 * @param metadata metadata
 * @param type what kind of secret
 * @param data bytes by key, in base64
 * @param immutable whether it never changes
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Secret(ObjectMeta metadata, String type, Map<String, HiddenText> data, Optional<Boolean> immutable)
        implements KubernetesObject {
    /** Copies lists and maps. */
    public Secret {
        data = Copies.map(data);
    }

    /** The same with another metadata. */
    public Secret withMetadata(ObjectMeta newMetadata) {
        return new Secret(newMetadata, type, data, immutable);
    }

    /** The same with another type. */
    public Secret withType(String newType) {
        return new Secret(metadata, newType, data, immutable);
    }

    /** The same with another data. */
    public Secret withData(Map<String, HiddenText> newData) {
        return new Secret(metadata, type, newData, immutable);
    }

    /** The same with another immutable. */
    public Secret withImmutable(Optional<Boolean> newImmutable) {
        return new Secret(metadata, type, data, newImmutable);
    }
}
