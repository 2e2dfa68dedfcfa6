// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import org.apiguardian.api.API;

/**
 * A node. A node that was deleted and created again under its name is another node.
 *
 * @param name the Node's name
 * @param uid the Node's uid; empty where it is not known
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record NodeRef(String name, String uid) {
    @Override
    public String toString() {
        return name;
    }
}
