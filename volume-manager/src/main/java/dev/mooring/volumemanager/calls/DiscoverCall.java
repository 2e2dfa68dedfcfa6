// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.runtime.control.Call;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.PluginName;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * Look for storage of a node that can be offered as volumes. A success carries a list of {@link
 * dev.mooring.storage.spi.FoundVolume}.
 *
 * @param onNode where
 * @param plugin who looks
 * @param nodeLabels the labels of the node
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record DiscoverCall(NodeRef onNode, PluginName plugin, Map<String, String> nodeLabels) implements Call {
    @Override
    public String operation() {
        return "discover";
    }

    /** Not about one volume. */
    @Override
    public String volume() {
        return "";
    }

    @Override
    public String node() {
        return onNode.name();
    }

    /** A pool of its own: looking at many disks delays no mount. */
    @Override
    public String bulkhead() {
        return "discover " + plugin;
    }
}
