// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/**
 * A volume that is attached to a node.
 *
 * @param name unique name of the volume
 * @param devicePath where the device is; empty for a CSI volume
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record AttachedVolume(String name, @Required String devicePath) {
    /** The same with another name. */
    public AttachedVolume withName(String newName) {
        return new AttachedVolume(newName, devicePath);
    }

    /** The same with another devicePath. */
    public AttachedVolume withDevicePath(String newDevicePath) {
        return new AttachedVolume(name, newDevicePath);
    }
}
