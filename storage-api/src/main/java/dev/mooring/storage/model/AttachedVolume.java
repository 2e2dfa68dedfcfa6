// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import org.apiguardian.api.API;

/**
 * A volume that is attached to a node.
 *
 * @param name unique name of the volume
 * @param devicePath where the device is; empty for a CSI volume
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record AttachedVolume(String name, @Required String devicePath) implements AttachedVolumeBuilder.With {}
