// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.VolumeNotes;
import dev.mooring.storage.spi.host.HostServices;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** The context of a call that has a record, which keeps what the plugin asks to remember. */
record NodeContext(OperationContext call, RecordEntry entry, RememberedStates states, VolumeNotes notes)
        implements OperationContext {
    @Override
    public Instant deadline() {
        return call.deadline();
    }

    @Override
    public boolean cancelled() {
        return call.cancelled();
    }

    @Override
    public void onCancel(Runnable action) {
        call.onCancel(action);
    }

    @Override
    public int attempt() {
        return call.attempt();
    }

    @Override
    public String idempotencyKey() {
        return call.idempotencyKey();
    }

    @Override
    public InstantSource clock() {
        return call.clock();
    }

    @Override
    public Optional<NodeRef> node() {
        return call.node();
    }

    @Override
    public HostServices host() {
        return call.host();
    }

    @Override
    public Secrets secrets() {
        return call.secrets();
    }

    @Override
    public void progress(String message) {
        call.progress(message);
    }

    @Override
    public Outcome<Nothing> remember(PluginState state) {
        return states.remember(entry, state);
    }

    @Override
    public PluginState remembered() {
        return states.of(entry);
    }
}
