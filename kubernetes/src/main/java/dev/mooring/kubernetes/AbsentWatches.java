// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchListener;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Watches of kinds that the server does not serve: silent until it does, and then told to list. A server learns its kinds by being
 * started anew, which ends its watches: so it is asked once, a while after a watch began, and an idle program asks nothing. Thread-safe.
 */
final class AbsentWatches implements AutoCloseable {
    private final ApiDiscovery discovery;
    private final Duration interval;
    private final ScheduledExecutorService alarms;
    private final Executor threads;
    private final Set<Waiting> all = ConcurrentHashMap.newKeySet();
    private boolean planned; // guarded by this

    /** Each is another one, whatever it waits for. */
    private static final class Waiting {
        private final Kind<?> kind;
        private final WatchListener<?> listener;

        Waiting(Kind<?> kind, WatchListener<?> listener) {
            this.kind = kind;
            this.listener = listener;
        }
    }

    /** Looks on a thread of its own, since that is a request. */
    AbsentWatches(ApiDiscovery discovery, Duration interval, ScheduledExecutorService alarms, Executor threads) {
        this.discovery = discovery;
        this.interval = interval;
        this.alarms = alarms;
        this.threads = threads;
    }

    Watch add(Kind<?> kind, WatchListener<?> listener) {
        Waiting mine = new Waiting(kind, listener);
        all.add(mine);
        lookLater();
        return () -> all.remove(mine);
    }

    /** A watch began: it may be that of a server of another version. */
    synchronized void lookLater() {
        if (planned || all.isEmpty()) {
            return;
        }
        try {
            Future<?> unused =
                    alarms.schedule(() -> threads.execute(this::look), interval.toNanos(), TimeUnit.NANOSECONDS);
            planned = true;
        } catch (RejectedExecutionException e) {
            close(); // the store is closed
        }
    }

    private void look() {
        synchronized (this) {
            planned = false;
        }
        for (Waiting each : all) {
            StoreResult<Boolean> serves = discovery.serves(each.kind);
            if (serves.value().equals(Optional.of(true))) {
                end(each, Failure.GONE, "the API server has " + each.kind.plural() + " now");
            }
        }
    }

    private void end(Waiting watch, Failure reason, String message) {
        if (all.remove(watch)) {
            new Serial(threads).execute(() -> watch.listener.onEnd(reason, message));
        }
    }

    /** Tells all listeners. */
    @Override
    public void close() {
        all.forEach(each -> end(each, Failure.UNAVAILABLE, "the store is closed"));
    }
}
