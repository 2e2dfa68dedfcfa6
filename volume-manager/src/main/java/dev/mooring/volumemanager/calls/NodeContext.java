// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.storage.spi.ForwardingContext;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.VolumeNotes;

/** The context of a call that has a record, which keeps what the plugin asks to remember. */
record NodeContext(OperationContext call, RecordEntry entry, RememberedStates states, VolumeNotes notes)
        implements ForwardingContext {
    @Override
    public Outcome<Nothing> remember(PluginState state) {
        return states.remember(entry, state);
    }

    @Override
    public PluginState remembered() {
        return states.of(entry);
    }
}
