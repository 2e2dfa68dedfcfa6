// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.PluginName;
import org.apiguardian.api.API;

/**
 * Look whether a published volume is in good order. A success carries a {@link dev.mooring.storage.spi.Health.Condition}.
 *
 * @param onNode where
 * @param record what is recorded of it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ConditionCall(NodeRef onNode, RecordEntry.Publish record) implements Call {
    @Override
    public PluginName plugin() {
        return record.volumeId().plugin();
    }

    @Override
    public String operation() {
        return "check-condition";
    }

    @Override
    public String volume() {
        return record.volume();
    }

    @Override
    public String node() {
        return onNode.name();
    }

    /** A pool of its own: a look that hangs delays no mount. */
    @Override
    public String bulkhead() {
        return "condition " + record.volumeId();
    }
}
