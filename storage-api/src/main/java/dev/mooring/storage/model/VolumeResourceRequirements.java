// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.Map;
import org.apiguardian.api.API;

/**
 * How much a claim wants.
 *
 * @param requests the least, by resource; storage is {@code storage}
 * @param limits the most, by resource
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record VolumeResourceRequirements(Map<String, Quantity> requests, Map<String, Quantity> limits) {
    /** Nothing set. */
    public static final VolumeResourceRequirements EMPTY = new VolumeResourceRequirements(Map.of(), Map.of());

    /** Copies lists and maps. */
    public VolumeResourceRequirements {
        requests = Copies.map(requests);
        limits = Copies.map(limits);
    }

    /** The same with another requests. */
    public VolumeResourceRequirements withRequests(Map<String, Quantity> newRequests) {
        return new VolumeResourceRequirements(newRequests, limits);
    }

    /** The same with another limits. */
    public VolumeResourceRequirements withLimits(Map<String, Quantity> newLimits) {
        return new VolumeResourceRequirements(requests, newLimits);
    }
}
