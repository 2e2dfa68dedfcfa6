// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

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
public record VolumeSnapshotClass(
        ObjectMeta metadata, String driver, Map<String, String> parameters, SnapshotPolicy deletionPolicy)
        implements KubernetesObject {
    /** Copies lists and maps. */
    public VolumeSnapshotClass {
        parameters = Copies.map(parameters);
    }

    /** The same with another metadata. */
    public VolumeSnapshotClass withMetadata(ObjectMeta newMetadata) {
        return new VolumeSnapshotClass(newMetadata, driver, parameters, deletionPolicy);
    }

    /** The same with another driver. */
    public VolumeSnapshotClass withDriver(String newDriver) {
        return new VolumeSnapshotClass(metadata, newDriver, parameters, deletionPolicy);
    }

    /** The same with another parameters. */
    public VolumeSnapshotClass withParameters(Map<String, String> newParameters) {
        return new VolumeSnapshotClass(metadata, driver, newParameters, deletionPolicy);
    }

    /** The same with another deletionPolicy. */
    public VolumeSnapshotClass withDeletionPolicy(SnapshotPolicy newDeletionPolicy) {
        return new VolumeSnapshotClass(metadata, driver, parameters, newDeletionPolicy);
    }
}
