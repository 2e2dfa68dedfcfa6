// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * A named set of attributes that volumes can be given.
 *
 * @param metadata metadata
 * @param driverName the driver that understands them
 * @param parameters the attributes
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record VolumeAttributesClass(ObjectMeta metadata, String driverName, Map<String, String> parameters)
        implements KubernetesObject, VolumeAttributesClassBuilder.With {
    /** Copies lists and maps. */
    public VolumeAttributesClass {
        parameters = Copies.map(parameters);
    }
}
