// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
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
@WithBuilder
public record ConfigMap(
        ObjectMeta metadata, Map<String, String> data, Map<String, String> binaryData, Optional<Boolean> immutable)
        implements KubernetesObject, ConfigMapBuilder.With {
    /** Copies lists and maps. */
    public ConfigMap {
        data = Copies.map(data);
        binaryData = Copies.map(binaryData);
    }
}
