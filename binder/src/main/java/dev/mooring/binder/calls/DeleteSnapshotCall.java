// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.calls;

import dev.mooring.runtime.control.Call;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.SnapshotRef;
import org.apiguardian.api.API;

/**
 * Destroy a snapshot.
 *
 * @param plugin whose it is
 * @param snapshot which one
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record DeleteSnapshotCall(PluginName plugin, SnapshotRef snapshot) implements Call {
    @Override
    public String operation() {
        return "delete-snapshot";
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
