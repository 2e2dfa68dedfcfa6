// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.calls;

import dev.mooring.runtime.control.Call;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.SnapshotRequest;
import dev.mooring.storage.spi.VolumeSpec;
import org.apiguardian.api.API;

/**
 * Make a snapshot of a volume, or see what has become of one that was begun.
 *
 * @param plugin whose storage it is
 * @param request the wish
 * @param spec the volume
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record SnapshotCall(PluginName plugin, SnapshotRequest request, VolumeSpec spec) implements Call {
    @Override
    public String operation() {
        return "create-snapshot";
    }

    @Override
    public String volume() {
        return request.contentName();
    }

    @Override
    public String node() {
        return "";
    }

    /** The name that the back-end is given: one snapshot has it for ever. */
    @Override
    public String occasion() {
        return request.name();
    }
}
