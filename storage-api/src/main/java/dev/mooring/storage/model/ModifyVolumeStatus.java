// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/**
 * A change of volume attributes under way.
 *
 * @param targetVolumeAttributesClassName the class wanted
 * @param status {@code Pending}, {@code InProgress} or {@code Infeasible}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ModifyVolumeStatus(String targetVolumeAttributesClassName, String status) {
    /** The same with another targetVolumeAttributesClassName. */
    public ModifyVolumeStatus withTargetVolumeAttributesClassName(String newTargetVolumeAttributesClassName) {
        return new ModifyVolumeStatus(newTargetVolumeAttributesClassName, status);
    }

    /** The same with another status. */
    public ModifyVolumeStatus withStatus(String newStatus) {
        return new ModifyVolumeStatus(targetVolumeAttributesClassName, newStatus);
    }
}
