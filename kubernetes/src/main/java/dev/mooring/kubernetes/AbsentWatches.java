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
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Watches of kinds that the server does not serve: silent until it does, and then told to list. A server learns its own kinds by being
 * started again, which ends its watches: so it is asked once, a while after a watch began, and an idle program asks nothing. Of a kind that
 * users define the definition is watched. Thread-safe.
 */
final class AbsentWatches implements AutoCloseable {
    /** A server serves a kind seconds after the last word about its definition, and a busy one much later. */
    private static final int LOOKS_AFTER_NEWS = 60;

    private final ApiDiscovery discovery;
    private final Duration interval;
    private final ScheduledExecutorService alarms;
    private final Executor threads;
    private final DefinitionChanges definitions;
    private final Set<Waiting> all = ConcurrentHashMap.newKeySet();
    private boolean planned; // guarded by this
    private boolean askedAgain; // guarded by this

    /** Each is another one, whatever it waits for. */
    private static final class Waiting {
        private final Kind<?> kind;
        private final WatchListener<?> listener;
        private final Watch news;
        private final AtomicInteger looks;

        Waiting(Kind<?> kind, WatchListener<?> listener, Watch news, AtomicInteger looks) {
            this.kind = kind;
            this.listener = listener;
            this.news = news;
            this.looks = looks;
        }
    }

    /**
     * Looks on a thread of its own, since that is a request.
     *
     * @param definitions tells of changes to the definition of a kind
     */
    AbsentWatches(
            ApiDiscovery discovery,
            Duration interval,
            ScheduledExecutorService alarms,
            Executor threads,
            DefinitionChanges definitions) {
        this.definitions = definitions;
        this.discovery = discovery;
        this.interval = interval;
        this.alarms = alarms;
        this.threads = threads;
    }

    Watch add(Kind<?> kind, WatchListener<?> listener) {
        AtomicInteger looks = new AtomicInteger();
        Watch news = definitions.follow(kind, () -> {
            looks.set(LOOKS_AFTER_NEWS);
            lookLater();
        });
        Waiting mine = new Waiting(kind, listener, news, looks);
        all.add(mine);
        lookLater();
        return () -> {
            all.remove(mine);
            mine.news.close();
        };
    }

    /** A watch began: it may be that of a server of another version. */
    synchronized void lookLater() {
        if (planned || all.isEmpty()) {
            // The planned look may be content with an answer from before this call.
            askedAgain = planned;
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
        boolean again;
        synchronized (this) {
            planned = false;
            again = askedAgain;
            askedAgain = false;
        }
        for (Waiting each : all) {
            StoreResult<Boolean> serves = discovery.serves(each.kind);
            if (serves.value().equals(Optional.of(true))) {
                end(each, Failure.GONE, "the API server has " + each.kind.plural() + " now");
            } else if (each.looks.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                again = true;
            }
        }
        if (again) {
            lookLater();
        }
    }

    private void end(Waiting watch, Failure reason, String message) {
        if (all.remove(watch)) {
            watch.news.close();
            new Serial(threads).execute(() -> watch.listener.onEnd(reason, message));
        }
    }

    /** Tells all listeners. */
    @Override
    public void close() {
        all.forEach(each -> end(each, Failure.UNAVAILABLE, "the store is closed"));
    }
}
