// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.calls;

import dev.mooring.runtime.control.Call;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.VolumeSpec;
import org.apiguardian.api.API;

/**
 * Destroy the storage of a released volume.
 *
 * @param plugin whose storage it is
 * @param spec the volume
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record DeleteCall(PluginName plugin, VolumeSpec spec) implements Call {
    @Override
    public String operation() {
        return "delete";
    }

    @Override
    public String volume() {
        return spec.name();
    }

    @Override
    public String node() {
        return "";
    }

    /** The uid of the claim that has left the volume, as the mark on the volume has it. */
    @Override
    public String occasion() {
        return spec.annotations().getOrDefault(Annotations.RECLAIMING, "");
    }
}
