// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/**
 * How a node is reached.
 *
 * @param type such as {@code InternalIP} or {@code Hostname}
 * @param address an IP address or a name
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record NodeAddress(String type, String address) {
    /** The type of an address within the cluster. */
    public static final String INTERNAL_IP = "InternalIP";

    /** The type of a name. */
    public static final String HOSTNAME = "Hostname";
}
