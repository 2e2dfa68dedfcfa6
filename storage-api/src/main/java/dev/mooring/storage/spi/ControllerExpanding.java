// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import dev.mooring.storage.model.Quantity;
import org.apiguardian.api.API;

/** Makes storage larger from outside the node. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public non-sealed interface ControllerExpanding extends Capability {
    /**
     * Grows the storage to at least the size wanted. Storage that is large enough is {@link Outcome.Done}.
     *
     * @return the size now, and whether the node has something to do
     */
    Outcome<Expansion> expand(OperationContext context, VolumeSpec volume, Quantity wanted);

    /**
     * Whether a volume is this plugin's to make larger. One that is not is somebody else's, as if the plugin could not do it at all: an
     * administrator's storage has the size that he says. Never waits, never throws.
     */
    default boolean expands(VolumeSpec volume) {
        return true;
    }

    /**
     * The result of an expansion.
     *
     * @param size the size of the storage now
     * @param nodeExpansionRequired whether {@link NodeExpanding} has to follow
     */
    record Expansion(Quantity size, boolean nodeExpansionRequired) {}
}
