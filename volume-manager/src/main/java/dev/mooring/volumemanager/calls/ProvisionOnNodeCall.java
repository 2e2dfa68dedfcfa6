// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.plugin.ProvisionRequests;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.VolumeTemplate;
import org.apiguardian.api.API;

/**
 * Make the storage of a planned volume on the node that will hold it.
 *
 * @param onNode where
 * @param plugin who makes it
 * @param request what the claim wants
 * @param plan what the plugin's pure half planned for it; equal to what stands in the PersistentVolume
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ProvisionOnNodeCall(NodeRef onNode, PluginName plugin, ProvisionRequest request, VolumeTemplate plan)
        implements Call {
    @Override
    public String operation() {
        return "provision";
    }

    @Override
    public String volume() {
        return request.volumeName();
    }

    @Override
    public String node() {
        return onNode.name();
    }

    /** The claim, and attributes. */
    @Override
    public String occasion() {
        return ProvisionRequests.occasion(request);
    }

    /** The pool of the work that changes storage itself; delays no mount. */
    @Override
    public String bulkhead() {
        return "reclaim " + plugin;
    }
}
