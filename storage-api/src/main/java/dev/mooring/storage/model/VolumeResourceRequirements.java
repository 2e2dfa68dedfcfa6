// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * How much a claim wants.
 *
 * @param requests the least, by resource; storage is {@code storage}
 * @param limits the most, by resource
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record VolumeResourceRequirements(Map<String, Quantity> requests, Map<String, Quantity> limits)
        implements VolumeResourceRequirementsBuilder.With {
    /** Nothing set. */
    public static final VolumeResourceRequirements EMPTY = new VolumeResourceRequirements(Map.of(), Map.of());

    /** Copies lists and maps. */
    public VolumeResourceRequirements {
        requests = Copies.map(requests);
        limits = Copies.map(limits);
    }
}
