// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import org.apiguardian.api.API;

/**
 * A change of volume attributes under way.
 *
 * @param targetVolumeAttributesClassName the class wanted
 * @param status {@code Pending}, {@code InProgress} or {@code Infeasible}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record ModifyVolumeStatus(String targetVolumeAttributesClassName, String status)
        implements ModifyVolumeStatusBuilder.With {}
