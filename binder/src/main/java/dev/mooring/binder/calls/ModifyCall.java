// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.calls;

import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.plugin.AttributesClasses;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.VolumeSpec;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * Give the storage of a volume other attributes.
 *
 * @param plugin whose storage it is
 * @param spec the volume
 * @param parameters the attributes wanted; unmodifiable
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ModifyCall(PluginName plugin, VolumeSpec spec, Map<String, String> parameters) implements Call {
    @Override
    public String operation() {
        return "modify";
    }

    @Override
    public String volume() {
        return spec.name();
    }

    @Override
    public String node() {
        return "";
    }

    /** The attributes, in few letters. */
    @Override
    public String occasion() {
        return AttributesClasses.digest(parameters);
    }
}
