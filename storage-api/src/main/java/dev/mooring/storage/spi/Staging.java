// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import java.nio.file.Path;
import org.apiguardian.api.API;

/** Prepares storage on a node, once for all pods there: log in, find the device, make and mount the file system. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public non-sealed interface Staging extends Capability {
    /**
     * Prepares the volume at the staging path.
     *
     * @return what {@link #unstage} will need
     */
    Outcome<PluginState> stage(OperationContext context, StageRequest request);

    /**
     * Undoes {@link #stage}, from what was recorded alone. A volume that is not staged is {@link Outcome.Done}.
     *
     * @param state what {@link #stage} answered; {@link PluginState#NONE} if its answer was lost
     */
    Outcome<Nothing> unstage(OperationContext context, VolumeId volume, Path stagingPath, PluginState state);
}
