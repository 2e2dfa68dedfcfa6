// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * How snapshots are made of volumes of a driver.
 *
 * @param metadata metadata
 * @param driver who makes them
 * @param parameters for the driver
 * @param deletionPolicy what becomes of a snapshot in the back-end when its object goes
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record VolumeSnapshotClass(
        ObjectMeta metadata, String driver, Map<String, String> parameters, SnapshotPolicy deletionPolicy)
        implements KubernetesObject, VolumeSnapshotClassBuilder.With {
    /** Copies lists and maps. */
    public VolumeSnapshotClass {
        parameters = Copies.map(parameters);
    }
}
