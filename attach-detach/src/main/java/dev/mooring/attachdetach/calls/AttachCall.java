// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.calls;

import dev.mooring.runtime.control.Call;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.VolumeSpec;
import org.apiguardian.api.API;

/**
 * Attach a volume to a node.
 *
 * @param plugin whose storage it is
 * @param volume the PersistentVolume's name, or {@code <pod uid>/<volume name>}
 * @param spec the volume
 * @param to the node
 * @param attachment the uid of the VolumeAttachment that it is done for; empty if it is not known
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record AttachCall(PluginName plugin, String volume, VolumeSpec spec, NodeRef to, String attachment)
        implements Call {
    @Override
    public String operation() {
        return "attach";
    }

    @Override
    public String node() {
        return to.name();
    }

    /** The Node, and the attachment: one that is made again after the first has gone is another one. */
    @Override
    public String occasion() {
        return to.uid() + "/" + attachment;
    }
}
