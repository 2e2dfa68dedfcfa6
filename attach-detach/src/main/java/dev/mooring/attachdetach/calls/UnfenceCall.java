// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.calls;

import dev.mooring.runtime.control.Call;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.VolumeId;
import org.apiguardian.api.API;

/**
 * Let a node that had lost a volume by force, and gets it again, write to it.
 *
 * @param volume the PersistentVolume's name
 * @param id whose storage it is
 * @param back the node
 * @param attachment the uid of the VolumeAttachment that it is done for; empty if it is not known
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record UnfenceCall(String volume, VolumeId id, NodeRef back, String attachment) implements Call {
    @Override
    public PluginName plugin() {
        return id.plugin();
    }

    @Override
    public String operation() {
        return "unfence";
    }

    @Override
    public String node() {
        return back.name();
    }

    /** The Node, and the attachment: one that is made again after the first has gone is another one. */
    @Override
    public String occasion() {
        return back.uid() + "/" + attachment;
    }
}
