// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import dev.mooring.storage.builder.WithBuilder;
import dev.mooring.storage.model.VolumeMode;
import org.apiguardian.api.API;

/**
 * Storage that a plugin has found on a node and that can be offered as a volume: nothing uses it, and it holds no data.
 *
 * @param name the name of the PersistentVolume; the same whenever the same storage is found
 * @param className the storage class in which it is offered
 * @param mode file system or block device
 * @param template the volume
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record FoundVolume(String name, String className, VolumeMode mode, VolumeTemplate template)
        implements FoundVolumeBuilder.With {}
