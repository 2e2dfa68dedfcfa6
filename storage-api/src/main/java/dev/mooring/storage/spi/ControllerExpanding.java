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
     * Whether this plugin makes a volume larger. If not, the volume is treated as if the plugin had no such capability: the storage of an
     * administrator has the size that he sets. Never waits, never throws.
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
