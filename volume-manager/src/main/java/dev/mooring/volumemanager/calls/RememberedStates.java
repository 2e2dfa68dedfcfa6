// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What plugins asked the host to remember in the middle of a call whose answer the decider does not have: entries that it appends, and
 * records that it hands to an undo, are completed with it. Thread-safe.
 */
final class RememberedStates {
    private final RecordLog log;
    private final Map<String, PluginState> states = new ConcurrentHashMap<>();

    RememberedStates(RecordLog log) {
        this.log = log;
    }

    /** Appends an entry, with the state that was remembered for it if it has none of its own. */
    Outcome<Nothing> append(RecordEntry entry) {
        if (entry.phase() == RecordPhase.INTENT && entry.state().equals(PluginState.NONE)) {
            states.remove(entry.key()); // A new beginning; what was remembered before is of what has gone.
            return log.append(entry);
        }
        Outcome<Nothing> appended = log.append(entry.with(of(entry)));
        if (appended.isDone() && (entry.phase() == RecordPhase.GONE || entry.phase() == RecordPhase.DONE)) {
            states.remove(entry.key());
        }
        return appended;
    }

    /** Makes a state durable in the record of a running call. */
    Outcome<Nothing> remember(RecordEntry intent, PluginState state) {
        states.put(intent.key(), state);
        return log.append(intent.with(state));
    }

    /** The call has answered: that replaces what was remembered. */
    void answered(RecordEntry intent, PluginState state) {
        states.put(intent.key(), state);
    }

    /** The state of a volume that stands: what was remembered since it was recorded, or what was recorded. */
    PluginState latest(RecordEntry entry) {
        return states.getOrDefault(entry.key(), entry.state());
    }

    /** The state of a record: its own, or what was remembered since it was written. */
    PluginState of(RecordEntry entry) {
        boolean answered = entry.phase() == RecordPhase.DONE;
        return answered ? entry.state() : latest(entry);
    }
}
