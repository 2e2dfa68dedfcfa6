// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.runtime.control.Call;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import java.nio.file.Path;
import org.apiguardian.api.API;

/**
 * Let a node see that a volume became larger. A success carries the {@link Quantity} that it has now.
 *
 * @param onNode where
 * @param volumeId whose storage it is
 * @param spec the volume as the plugin sees it
 * @param path where it is prepared or, if the plugin does not prepare volumes, where a pod sees it
 * @param wanted the least size
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ExpandOnNodeCall(NodeRef onNode, VolumeId volumeId, VolumeSpec spec, Path path, Quantity wanted)
        implements Call {
    @Override
    public PluginName plugin() {
        return volumeId.plugin();
    }

    @Override
    public String operation() {
        return "expand-on-node";
    }

    @Override
    public String volume() {
        return spec.name();
    }

    @Override
    public String node() {
        return onNode.name();
    }

    /** The size, whatever it is written in. */
    @Override
    public String occasion() {
        return wanted.value().toPlainString();
    }

    /** A pool of its own: a file system that takes minutes to grow delays no mount. */
    @Override
    public String bulkhead() {
        return "expand " + volumeId;
    }
}
