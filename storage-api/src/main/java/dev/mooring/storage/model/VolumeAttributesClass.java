// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

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
public record VolumeAttributesClass(ObjectMeta metadata, String driverName, Map<String, String> parameters)
        implements KubernetesObject {
    /** Copies lists and maps. */
    public VolumeAttributesClass {
        parameters = Copies.map(parameters);
    }

    /** The same with another metadata. */
    public VolumeAttributesClass withMetadata(ObjectMeta newMetadata) {
        return new VolumeAttributesClass(newMetadata, driverName, parameters);
    }

    /** The same with another driverName. */
    public VolumeAttributesClass withDriverName(String newDriverName) {
        return new VolumeAttributesClass(metadata, newDriverName, parameters);
    }

    /** The same with another parameters. */
    public VolumeAttributesClass withParameters(Map<String, String> newParameters) {
        return new VolumeAttributesClass(metadata, driverName, newParameters);
    }
}
