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
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record UnfenceCall(String volume, VolumeId id, NodeRef back) implements Call {
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
}
