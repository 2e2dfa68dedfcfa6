// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.VolumeNotes;
import dev.mooring.storage.spi.host.HostServices;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A call that may not take all of the time that is left.
 *
 * @param whole the call
 * @param deadline when this part of it has to end
 */
record LimitedContext(OperationContext whole, Instant deadline) implements OperationContext {
    static OperationContext within(OperationContext whole, Duration limit) {
        Instant end = whole.clock().instant().plus(limit);
        return new LimitedContext(whole, end.isBefore(whole.deadline()) ? end : whole.deadline());
    }

    @Override
    public boolean cancelled() {
        return whole.cancelled();
    }

    @Override
    public void onCancel(Runnable action) {
        whole.onCancel(action);
    }

    @Override
    public int attempt() {
        return whole.attempt();
    }

    @Override
    public String idempotencyKey() {
        return whole.idempotencyKey();
    }

    @Override
    public OptionalLong term() {
        return whole.term();
    }

    @Override
    public InstantSource clock() {
        return whole.clock();
    }

    @Override
    public Optional<NodeRef> node() {
        return whole.node();
    }

    @Override
    public HostServices host() {
        return whole.host();
    }

    @Override
    public Secrets secrets() {
        return whole.secrets();
    }

    @Override
    public void report(Notice notice) {
        whole.report(notice);
    }

    @Override
    public Outcome<Nothing> remember(PluginState state) {
        return whole.remember(state);
    }

    @Override
    public PluginState remembered() {
        return whole.remembered();
    }

    @Override
    public VolumeNotes notes() {
        return whole.notes();
    }
}
