// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.fieldmanagement;

import dev.mooring.storage.codec.CodecException;
import dev.mooring.storage.codec.KubernetesJson;

/** Reads the JSON that stands in keys and annotations. */
final class JsonValues {
    private static final KubernetesJson JSON = KubernetesJson.standard();

    private JsonValues() {}

    /**
     * Reads one value.
     *
     * @throws IllegalArgumentException if it is none
     */
    static Object read(String text) {
        try {
            return JSON.read("{\"v\":" + text + "}", "a value")
                    .at("v")
                    .orElseThrow(() -> new IllegalArgumentException("there is no value"));
        } catch (CodecException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
