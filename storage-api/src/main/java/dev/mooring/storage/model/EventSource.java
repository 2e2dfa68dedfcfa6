// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/**
 * Who saw it.
 *
 * @param component the component
 * @param host the node
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record EventSource(String component, String host) {
    /** Nothing set. */
    public static final EventSource EMPTY = new EventSource("", "");

    /** The same with another component. */
    public EventSource withComponent(String newComponent) {
        return new EventSource(newComponent, host);
    }

    /** The same with another host. */
    public EventSource withHost(String newHost) {
        return new EventSource(component, newHost);
    }
}
