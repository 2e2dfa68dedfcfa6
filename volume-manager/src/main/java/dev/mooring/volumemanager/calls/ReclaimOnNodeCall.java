// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.runtime.control.Call;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.VolumeSpec;
import java.util.Locale;
import org.apiguardian.api.API;

/**
 * Empty or destroy the storage of a released volume on the node that holds it.
 *
 * @param onNode where
 * @param plugin who does it
 * @param work which of the two
 * @param spec the volume
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ReclaimOnNodeCall(NodeRef onNode, PluginName plugin, Work work, VolumeSpec spec) implements Call {
    @Override
    public String operation() {
        return work.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String volume() {
        return spec.name();
    }

    @Override
    public String node() {
        return onNode.name();
    }

    /** The uid of the claim that has left the volume, as the mark on the volume has it. */
    @Override
    public String occasion() {
        return spec.annotations().getOrDefault(Annotations.RECLAIMING, "");
    }

    /** A pool of its own: a tree that takes minutes to remove delays no mount. */
    @Override
    public String bulkhead() {
        return "reclaim " + plugin;
    }

    /** What is done to the storage. */
    public enum Work {
        /** It is destroyed. */
        DELETE,
        /** It is emptied for the next claim. */
        RECYCLE
    }
}
