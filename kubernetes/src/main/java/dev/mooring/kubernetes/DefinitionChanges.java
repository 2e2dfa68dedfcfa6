// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.MetadataObject;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** News of the definitions of kinds that a server gets while it runs ({@code apiextensions.k8s.io/v1}). Thread-safe. */
final class DefinitionChanges {
    /** How long after a watch that ended, as it does without the right to it, the next one begins. */
    static final Duration AGAIN = Duration.ofMinutes(1);

    private static final Kind<MetadataObject> DEFINITION = new Kind<>(
            "apiextensions.k8s.io",
            "v1",
            "CustomResourceDefinition",
            "customresourcedefinitions",
            false,
            true,
            MetadataObject.class);

    private final Watching watching;
    private final ScheduledExecutorService alarms;

    /** Begins a watch. */
    @FunctionalInterface
    interface Watching {
        /** See {@link WatchHost#watch}. */
        Watch watch(
                Kind<MetadataObject> kind, ListOptions options, Revision after, WatchListener<MetadataObject> listener);
    }

    DefinitionChanges(Watching watching, ScheduledExecutorService alarms) {
        this.watching = watching;
        this.alarms = alarms;
    }

    /**
     * Follows the definition of a kind until the watch is closed; does nothing for a kind of Kubernetes' own.
     *
     * @param news run whenever the definition may have changed, by any thread; returns quickly
     */
    Watch follow(Kind<?> kind, Runnable news) {
        if (Kinds.standard().all().contains(kind)) {
            return () -> {};
        }
        Following following =
                new Following(ListOptions.ALL.withFields("metadata.name=" + kind.plural() + "." + kind.group()), news);
        following.begin();
        return following;
    }

    private final class Following implements Watch, WatchListener<MetadataObject> {
        private final ListOptions options;
        private final Runnable news;
        private boolean closed; // guarded by this
        private Watch current = () -> {}; // guarded by this

        Following(ListOptions options, Runnable news) {
            this.options = options;
            this.news = news;
        }

        /** From any revision: the server begins with the definition as it is. */
        private synchronized void begin() {
            if (!closed) {
                current = watching.watch(DEFINITION, options, Revision.ZERO, this);
            }
        }

        @Override
        public void onEvent(WatchEvent<MetadataObject> event) {
            news.run();
        }

        @Override
        public void onBookmark(Revision revision) {}

        @Override
        public void onEnd(Failure reason, String message) {
            try {
                Future<?> unused = alarms.schedule(this::again, AGAIN.toNanos(), TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException e) {
                close(); // the store is closed
            }
        }

        private void again() {
            news.run(); // what was missed
            begin();
        }

        @Override
        public void close() {
            Watch last;
            synchronized (this) {
                closed = true;
                last = current;
            }
            last.close();
        }
    }
}
