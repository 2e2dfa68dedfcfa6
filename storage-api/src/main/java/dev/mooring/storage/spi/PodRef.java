// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import org.apiguardian.api.API;

/**
 * A pod.
 *
 * @param namespace its namespace
 * @param name its name
 * @param uid its uid, which names its directories on the node
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PodRef(String namespace, String name, String uid) {
    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
