// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/**
 * Where a container sees a raw device.
 *
 * @param name the volume's name in the pod
 * @param devicePath the path in the container
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record VolumeDevice(String name, String devicePath) {
    /** The same with another name. */
    public VolumeDevice withName(String newName) {
        return new VolumeDevice(newName, devicePath);
    }

    /** The same with another devicePath. */
    public VolumeDevice withDevicePath(String newDevicePath) {
        return new VolumeDevice(name, newDevicePath);
    }
}
