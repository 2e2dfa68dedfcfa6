// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import dev.mooring.storage.model.VolumeSource;
import java.nio.file.Path;
import org.apiguardian.api.API;

/**
 * Recognises volumes that another agent mounted, or an earlier process whose records were lost. Any other restart does not need this: the
 * host has its own records. It is asked at a node's start, of every mount in the places of the plugin that no record tells of, be it a
 * pod's or staged.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public non-sealed interface Reconstructing extends Capability {
    /**
     * Recognises the volume at a path.
     *
     * @return its source and what undoing will need; {@link Refusal#NOT_FOUND} if it is not a volume of this plugin
     */
    Outcome<Adopted> reconstruct(OperationContext context, Path path);

    /**
     * A volume that was recognised.
     *
     * @param source its source
     * @param state what undoing will need
     */
    record Adopted(VolumeSource source, PluginState state) {}
}
