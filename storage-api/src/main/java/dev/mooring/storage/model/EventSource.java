// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import org.apiguardian.api.API;

/**
 * Who saw it.
 *
 * @param component the component
 * @param host the node
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record EventSource(String component, String host) implements EventSourceBuilder.With {
    /** Nothing set. */
    public static final EventSource EMPTY = new EventSource("", "");
}
