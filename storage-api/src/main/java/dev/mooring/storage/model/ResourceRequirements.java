// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * How much of a machine a container, or a pod as a whole, asks for.
 *
 * @param requests the least, by resource, such as {@code cpu}, {@code memory}, {@code ephemeral-storage} or {@code
 *     hugepages-2Mi}
 * @param limits the most, by resource
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record ResourceRequirements(Map<String, Quantity> requests, Map<String, Quantity> limits)
        implements ResourceRequirementsBuilder.With {
    /** Nothing set. */
    public static final ResourceRequirements EMPTY = new ResourceRequirements(Map.of(), Map.of());

    /** Copies lists and maps. */
    public ResourceRequirements {
        requests = Copies.map(requests);
        limits = Copies.map(limits);
    }
}
