// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.runtime.control.Call;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.VolumeId;
import org.apiguardian.api.API;

/**
 * Show a volume to a pod. A success carries the {@link dev.mooring.storage.spi.PluginState} that the undo will need.
 *
 * @param onNode where
 * @param volume the PersistentVolume's name, or {@code <pod uid>/<volume name>}
 * @param volumeId whose storage it is
 * @param request what the plugin is asked
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PublishCall(NodeRef onNode, String volume, VolumeId volumeId, PublishRequest request) implements Call {
    @Override
    public PluginName plugin() {
        return volumeId.plugin();
    }

    @Override
    public String operation() {
        return "publish";
    }

    @Override
    public String node() {
        return onNode.name();
    }

    /** One pool per back-end volume: a server that does not answer delays only those who need it. */
    @Override
    public String bulkhead() {
        return volumeId.toString();
    }
}
