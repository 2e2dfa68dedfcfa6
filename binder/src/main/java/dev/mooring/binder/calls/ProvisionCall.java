// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.calls;

import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.plugin.ProvisionRequests;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.VolumeTemplate;
import org.apiguardian.api.API;

/**
 * Make new storage for a claim.
 *
 * @param plugin who makes it
 * @param request what the claim wants
 * @param plan what the plugin's pure half planned for it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ProvisionCall(PluginName plugin, ProvisionRequest request, VolumeTemplate plan) implements Call {
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
        return "";
    }

    /** The claim, the node that was selected for it, and attributes: on another one, or with others, it is other storage. */
    @Override
    public String occasion() {
        return ProvisionRequests.occasion(request)
                + request.selectedNode().map(node -> "/" + node.name()).orElse("");
    }
}
