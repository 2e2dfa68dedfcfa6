// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.calls;

import dev.mooring.runtime.control.Call;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.SnapshotRef;
import org.apiguardian.api.API;

/**
 * Look at a snapshot that was made by others.
 *
 * @param plugin whose it is
 * @param snapshot which one
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record FindSnapshotCall(PluginName plugin, SnapshotRef snapshot) implements Call {
    @Override
    public String operation() {
        return "find-snapshot";
    }

    @Override
    public String volume() {
        return snapshot.contentName();
    }

    @Override
    public String node() {
        return "";
    }

    @Override
    public String occasion() {
        return snapshot.handle();
    }
}
