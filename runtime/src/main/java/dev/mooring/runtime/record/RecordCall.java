// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.record;

import dev.mooring.runtime.control.Call;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import org.apiguardian.api.API;

/**
 * Append an entry to the node's log. No plugin takes part: an interpreter of effects that knows this type calls {@link #appendTo}, and
 * need not show it where calls of plugins are shown.
 *
 * @param node the node
 * @param entry the entry
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RecordCall(String node, RecordEntry entry) implements Call {
    /** The operation of every call of this type. */
    public static final String OPERATION = "record";

    /** Does it. */
    public Outcome<Nothing> appendTo(RecordLog log) {
        return log.append(entry);
    }

    @Override
    public PluginName plugin() {
        return entry.volumeId().plugin();
    }

    @Override
    public String operation() {
        return OPERATION;
    }

    @Override
    public String volume() {
        return entry.volume();
    }

    /** All appends share one pool of their own: a dead back-end never holds up a record. */
    @Override
    public String bulkhead() {
        return "records of " + node;
    }
}
