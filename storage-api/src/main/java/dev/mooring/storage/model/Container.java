// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.List;
import org.apiguardian.api.API;

/**
 * What a container uses of volumes.
 *
 * @param name its name
 * @param image its image
 * @param volumeMounts mounts
 * @param volumeDevices devices
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Container(String name, String image, List<VolumeMount> volumeMounts, List<VolumeDevice> volumeDevices) {
    /** Copies lists and maps. */
    public Container {
        volumeMounts = Copies.list(volumeMounts);
        volumeDevices = Copies.list(volumeDevices);
    }

    /** The same with another name. */
    public Container withName(String newName) {
        return new Container(newName, image, volumeMounts, volumeDevices);
    }

    /** The same with another image. */
    public Container withImage(String newImage) {
        return new Container(name, newImage, volumeMounts, volumeDevices);
    }

    /** The same with another volumeMounts. */
    public Container withVolumeMounts(List<VolumeMount> newVolumeMounts) {
        return new Container(name, image, newVolumeMounts, volumeDevices);
    }

    /** The same with another volumeDevices. */
    public Container withVolumeDevices(List<VolumeDevice> newVolumeDevices) {
        return new Container(name, image, volumeMounts, newVolumeDevices);
    }
}
