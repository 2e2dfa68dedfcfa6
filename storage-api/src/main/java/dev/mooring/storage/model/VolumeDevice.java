// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import org.apiguardian.api.API;

/**
 * Where a container sees a raw device.
 *
 * @param name the volume's name in the pod
 * @param devicePath the path in the container
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record VolumeDevice(String name, String devicePath) implements VolumeDeviceBuilder.With {}
