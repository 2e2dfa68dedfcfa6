// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import dev.mooring.storage.model.Quantity;
import java.nio.file.Path;
import org.apiguardian.api.API;

/** Lets a node see that storage became larger: device, map, file system. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public non-sealed interface NodeExpanding extends Capability {
    /**
     * Grows what the node sees to at least the size wanted.
     *
     * @param path where the volume is staged or, for a plugin that does not stage, published
     * @return the size now
     */
    Outcome<Quantity> expandOnNode(OperationContext context, VolumeSpec volume, Path path, Quantity wanted);
}
