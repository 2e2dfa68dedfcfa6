// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import org.apiguardian.api.API;

/** Where a capability of a plugin has to be called. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Place {
    /** Anywhere: the controllers call it. */
    CONTROLLER,
    /**
     * On the node that holds the data. The controllers write their intent on the volume and the agent of that node makes the
     * call.
     */
    NODE
}
