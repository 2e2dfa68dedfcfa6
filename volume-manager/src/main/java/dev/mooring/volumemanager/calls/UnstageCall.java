// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.PluginName;
import org.apiguardian.api.API;

/**
 * Undo the preparation of a volume, from what was recorded alone: neither a pod nor the volume has to exist any more.
 *
 * @param onNode where
 * @param record what was prepared; its staging path is present
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record UnstageCall(NodeRef onNode, RecordEntry.Stage record) implements Call {
    @Override
    public PluginName plugin() {
        return record.volumeId().plugin();
    }

    @Override
    public String operation() {
        return "unstage";
    }

    @Override
    public String volume() {
        return record.volume();
    }

    @Override
    public String node() {
        return onNode.name();
    }

    /** One pool per back-end volume, the same as for staging it. */
    @Override
    public String bulkhead() {
        return record.volumeId().toString();
    }
}
