// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.calls;

import dev.mooring.runtime.control.Call;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.VolumeId;
import org.apiguardian.api.API;

/**
 * Make sure that a lost node cannot write to a volume any more.
 *
 * @param volume the PersistentVolume's name, or {@code <pod uid>/<volume name>}, when it was attached
 * @param id whose storage it is
 * @param lost the node
 * @param attachment the uid of the VolumeAttachment that it is done for; empty if it is not known
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record FenceCall(String volume, VolumeId id, NodeRef lost, String attachment) implements Call {
    @Override
    public PluginName plugin() {
        return id.plugin();
    }

    @Override
    public String operation() {
        return "fence";
    }

    @Override
    public String node() {
        return lost.name();
    }

    /** The Node, and the attachment: one that is made again after the first has gone is another one. */
    @Override
    public String occasion() {
        return lost.uid() + "/" + attachment;
    }
}
