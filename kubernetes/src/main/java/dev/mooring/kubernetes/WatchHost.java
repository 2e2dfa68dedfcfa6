// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchListener;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The running watches of a store and their threads; an idle watch holds none. Thread-safe. */
final class WatchHost implements AutoCloseable {
    private static final Duration SLACK = Duration.ofSeconds(30);

    private final Transport transport;
    private final Duration watchTimeout;
    private final Set<ReconnectingWatch<?>> running = ConcurrentHashMap.newKeySet();
    private final ThreadPoolExecutor threads;
    private final ScheduledThreadPoolExecutor alarms;
    private final AbsentWatches absent;

    WatchHost(Transport transport, KubernetesOptions options, ApiDiscovery discovery, Duration again) {
        this.transport = transport;
        this.watchTimeout = options.watchTimeout();
        this.threads = new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, 5, TimeUnit.SECONDS, new SynchronousQueue<>(), named("kubernetes-watch"));
        this.alarms = new ScheduledThreadPoolExecutor(1, named("kubernetes-watch-alarm"));
        alarms.setRemoveOnCancelPolicy(true);
        this.absent = new AbsentWatches(discovery, again, alarms, threads, new DefinitionChanges(this::watch, alarms));
        transport.whenReplaced(() -> endAll("the connection is dead: the server was silent for the time of a request"));
    }

    /** Threads that keep no process alive. */
    static ThreadFactory named(String name) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    <T extends KubernetesObject> Watch watch(
            Kind<T> kind, ListOptions options, Revision after, WatchListener<T> listener) {
        String query = String.join("&", Paths.watch(options, watchTimeout));
        String start = Paths.collection(kind, options.namespace()) + "?" + query;
        ReconnectingWatch<T> stream = new ReconnectingWatch<>(
                kind,
                transport,
                revision -> start + "&resourceVersion=" + revision,
                after,
                options.kept(),
                watchTimeout.plus(SLACK),
                listener,
                new Serial(threads),
                alarms,
                running::remove);
        running.add(stream);
        stream.start();
        absent.lookLater();
        if (transport.isClosed()) {
            stream.closeWith(Failure.UNAVAILABLE, "the store is closed");
        }
        return stream;
    }

    /** A watch of a kind that the server does not serve. */
    Watch absent(Kind<?> kind, WatchListener<?> listener) {
        return absent.add(kind, listener);
    }

    /** A watch that could not begin. */
    Watch ended(WatchListener<?> listener, String message) {
        new Serial(threads).execute(() -> listener.onEnd(Failure.UNAVAILABLE, message));
        return () -> {};
    }

    /** Tells all listeners; the threads end when that is done. */
    @Override
    public void close() {
        endAll("the store is closed");
        absent.close();
        threads.shutdown();
        alarms.shutdownNow();
    }

    private void endAll(String message) {
        running.forEach(stream -> stream.closeWith(Failure.UNAVAILABLE, message));
    }
}
