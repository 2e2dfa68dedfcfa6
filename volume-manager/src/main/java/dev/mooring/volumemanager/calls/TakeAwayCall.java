// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.storage.spi.NodeRef;
import dev.mooring.volumemanager.Unnamed;
import org.apiguardian.api.API;

/**
 * Unmount something that no object names any more, without force, if it still is a further view of what is mounted elsewhere. A success means
 * that it is gone, or that something else is there by now. Refused as IN_USE if something would be lost with it.
 *
 * @param onNode where
 * @param unnamed what was found
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record TakeAwayCall(NodeRef onNode, Unnamed unnamed) implements HostCall {
    @Override
    public String operation() {
        return "take-away";
    }

    @Override
    public String volume() {
        return "";
    }
}
