// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.bench;

import dev.mooring.storage.spi.CancelActions;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.VolumeNotes;
import dev.mooring.storage.spi.host.HostServices;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a call is given. Its record is kept with the volume, so that a later attempt finds it. */
public final class KitContext implements OperationContext {
    private final Bench bench;
    private final CallRecord record;
    private final Instant deadline;
    private final Optional<NodeRef> node;
    private final HostServices host;
    private final int attempt;
    private final CancelActions cancelActions = new CancelActions();
    private final Set<Notice> notices = new HashSet<>();

    KitContext(Bench bench, CallRecord record, Duration limit, Optional<NodeRef> node, HostServices host) {
        this.bench = bench;
        this.record = record;
        this.deadline = KitClock.real().instant().plus(limit);
        this.node = node;
        this.host = host;
        this.attempt = record.nextAttempt();
    }

    /** Cancels the call, as the host does: by another thread. */
    public void cancel() {
        List<Runnable> due = cancelActions.cancel();
        Thread canceller = new Thread(() -> due.forEach(Runnable::run), "kit-cancel");
        canceller.start();
        try {
            canceller.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Instant deadline() {
        return deadline;
    }

    @Override
    public boolean cancelled() {
        return cancelActions.cancelled();
    }

    @Override
    public void onCancel(Runnable action) {
        cancelActions.onCancel(action);
    }

    @Override
    public int attempt() {
        return attempt;
    }

    @Override
    public String idempotencyKey() {
        return record.key();
    }

    @Override
    public InstantSource clock() {
        return KitClock.real();
    }

    @Override
    public Optional<NodeRef> node() {
        return node;
    }

    @Override
    public HostServices host() {
        return host;
    }

    @Override
    public Secrets secrets() {
        return bench.secrets();
    }

    @Override
    public void report(Notice notice) {
        bench.said("a notice of " + record.key(), notice.toString());
        synchronized (notices) {
            notices.add(notice);
            if (notices.size() > Notice.MOST_OF_ONE_WORK) {
                bench.tooManyNotices(record.key(), notice);
            }
        }
    }

    @Override
    public Outcome<Nothing> remember(PluginState state) {
        if (!record.remembers()) {
            return Outcome.refused(Refusal.UNSUPPORTED, "this call has no record");
        }
        bench.said("what " + record.key() + " remembers", state.content());
        return bench.watch().change("remembering", () -> {
            record.remember(state);
            return Outcome.done();
        });
    }

    @Override
    public PluginState remembered() {
        return record.remembered();
    }

    @Override
    public VolumeNotes notes() {
        return record.notes();
    }
}
