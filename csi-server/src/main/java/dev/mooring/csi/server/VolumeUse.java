// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;

/**
 * A volume at a path of this node.
 *
 * @param kind what was done there
 * @param path the staging or target path
 * @param fingerprint of the request, by which a repetition is recognised
 * @param onlyOne whether no other target may have the volume
 * @param mode whether it is there as a file system or as a block device
 * @param state what the plugin wants to have back; {@link PluginState#NONE} as long as its answer is not known
 * @param pod for which pod it is shown; of empty texts where that is not known
 */
record VolumeUse(
        Kind kind, String path, String fingerprint, boolean onlyOne, VolumeMode mode, PluginState state, PodRef pod) {
    /** What was done at a path. */
    enum Kind {
        STAGED,
        PUBLISHED
    }

    VolumeUse with(PluginState answered) {
        return new VolumeUse(kind, path, fingerprint, onlyOne, mode, answered, pod);
    }
}
