// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.calls;

import dev.mooring.runtime.control.Call;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.VolumeSpec;
import org.apiguardian.api.API;

/**
 * Look whether a volume is in good order. A success carries a {@link dev.mooring.storage.spi.Health.Condition}.
 *
 * @param plugin whose storage it is
 * @param spec the volume
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record HealthCall(PluginName plugin, VolumeSpec spec) implements Call {
    @Override
    public String operation() {
        return "check-health";
    }

    @Override
    public String volume() {
        return spec.name();
    }

    @Override
    public String node() {
        return "";
    }

    /** A pool of its own: a look that hangs delays no volume that is to be made. */
    @Override
    public String bulkhead() {
        return "health " + plugin;
    }
}
