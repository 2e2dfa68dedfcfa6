// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.calls;

import dev.mooring.runtime.control.Call;
import dev.mooring.storage.spi.PluginName;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * Ask how much storage is left. A success carries a {@link dev.mooring.storage.spi.CapacityReporting.FreeSpace}.
 *
 * @param plugin whose storage it is
 * @param className the storage class
 * @param parameters its parameters; unmodifiable
 * @param place the labels of the nodes in question, in a fixed order; empty for all
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CapacityCall(
        PluginName plugin, String className, Map<String, String> parameters, Map<String, String> place)
        implements Call {
    @Override
    public String operation() {
        return "get-capacity";
    }

    /** None: it is about volumes that are not there yet. */
    @Override
    public String volume() {
        return "";
    }

    @Override
    public String node() {
        return "";
    }

    @Override
    public String occasion() {
        return className + place;
    }
}
