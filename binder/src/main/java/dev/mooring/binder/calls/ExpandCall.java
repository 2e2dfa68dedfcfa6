// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.calls;

import dev.mooring.runtime.control.Call;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.VolumeSpec;
import org.apiguardian.api.API;

/**
 * Make the storage of a volume larger.
 *
 * @param plugin whose storage it is
 * @param spec the volume
 * @param wanted the least size that it shall have
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ExpandCall(PluginName plugin, VolumeSpec spec, Quantity wanted) implements Call {
    @Override
    public String operation() {
        return "expand";
    }

    @Override
    public String volume() {
        return spec.name();
    }

    @Override
    public String node() {
        return "";
    }

    /** The size, whatever it is written in. */
    @Override
    public String occasion() {
        return wanted.value().toPlainString();
    }
}
