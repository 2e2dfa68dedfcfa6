// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
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
@WithBuilder
public record Secret(ObjectMeta metadata, String type, Map<String, HiddenText> data, Optional<Boolean> immutable)
        implements KubernetesObject, SecretBuilder.With {
    /** Copies lists and maps. */
    public Secret {
        data = Copies.map(data);
    }
}
