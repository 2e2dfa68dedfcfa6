// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import dev.mooring.runtime.control.ControlLoop;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one cache true: lists, then watches, and lists again when the store has forgotten where the watch ended. Confined to the
 * decider's thread but for {@link #close} and {@link #isFollowing}.
 */
final class Reflector<T extends KubernetesObject> {
    private static final Logger LOG = LoggerFactory.getLogger(Reflector.class);
    private static final int PAGE = 500;
    private static final Duration FIRST_RETRY = Duration.ofMillis(200);
    private static final Duration LONGEST_RETRY = Duration.ofSeconds(30);

    private final ClusterStore store;
    private final Kind<T> kind;
    private final ControlLoop loop;
    private final LoopThread decider;
    private final Executor executor;
    private Duration retry = FIRST_RETRY;
    private Revision seen = Revision.ZERO;
    private @Nullable Watch watch; // guarded by this, as are the next two
    private long watches;
    private boolean closed;

    Reflector(ClusterStore store, Kind<T> kind, ControlLoop loop, LoopThread decider, Executor executor) {
        this.store = store;
        this.kind = kind;
        this.loop = loop;
        this.decider = decider;
        this.executor = executor;
    }

    void list() {
        if (!isClosed()) {
            execute(
                    () -> {
                        StoreResult<ObjectList<T>> result = listGuarded();
                        decider.post(() -> listed(result));
                    },
                    this::list);
        }
    }

    /** Ends the watch, also one that is just being started; from any thread, any number of times. */
    void close() {
        Watch last;
        synchronized (this) {
            closed = true;
            last = watch;
            watch = null;
        }
        if (last != null) {
            last.close();
        }
    }

    /** Whether a watch runs, so that news will come by themselves; true also after the end. From any thread. */
    synchronized boolean isFollowing() {
        return closed || watch != null;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /**
     * Has a request made.
     *
     * @param again what to do after a while if nobody takes it, as an executor whose queue is full
     */
    private void execute(Runnable request, Runnable again) {
        try {
            executor.execute(request);
        } catch (RejectedExecutionException e) {
            if (!isClosed()) {
                LOG.error(
                        "the executor for requests to the store took none; trying again in {} to follow {}",
                        retry,
                        kind,
                        e);
                later(retry, again);
            }
        }
    }

    /** A list that fails with a defect of the store is tried again like any other. */
    private StoreResult<ObjectList<T>> listGuarded() {
        try {
            return listAllPages();
        } catch (Throwable defect) {
            return StoreResult.failed(Failure.UNKNOWN, "the store failed: " + defect);
        }
    }

    private StoreResult<ObjectList<T>> listAllPages() {
        List<T> all = new ArrayList<>();
        ListOptions options = ListOptions.ALL.withLimit(PAGE);
        while (true) {
            StoreResult<ObjectList<T>> page = store.list(kind, options);
            if (page.failure().isPresent()) {
                return page;
            }
            ObjectList<T> items = page.orThrow();
            all.addAll(items.items());
            if (items.continueToken().isEmpty()) {
                return StoreResult.ok(new ObjectList<>(all, items.revision(), ""));
            }
            options = options.after(items.continueToken());
        }
    }

    private void listed(StoreResult<ObjectList<T>> result) {
        if (isClosed()) {
            return;
        }
        result.match(
                list -> {
                    retry = FIRST_RETRY;
                    seen = list.revision();
                    loop.listed(kind, list.items(), list.revision());
                    watch();
                    return true;
                },
                failed -> {
                    loop.watchFailed(kind, failed.reason(), failed.message());
                    Duration wait = longer(retry, failed.retryAfter().orElse(Duration.ZERO));
                    LOG.warn("cannot list {}: {}; trying again in {}", kind, failed.message(), wait);
                    later(wait, this::list);
                    return false;
                });
    }

    private void watch() {
        if (!isClosed()) {
            Revision from = seen;
            long number = begin();
            execute(
                    () -> {
                        try {
                            watching(store.watch(kind, ListOptions.ALL, from, new Listener(number)), number);
                        } catch (Throwable defect) {
                            decider.post(() -> ended(number, Failure.UNAVAILABLE, "the store failed: " + defect));
                        }
                    },
                    this::watch);
        }
    }

    private synchronized long begin() {
        watch = null;
        return ++watches;
    }

    /** Keeps a watch unless it came too late: nobody would ever close it. */
    private void watching(Watch started, long number) {
        boolean kept;
        synchronized (this) {
            kept = !closed && number == watches;
            if (kept) {
                watch = started;
            }
        }
        if (kept) {
            decider.post(() -> {}); // whoever awaits quiet looks again
        } else {
            started.close();
        }
    }

    private void later(Duration wait, Runnable work) {
        decider.after(wait, work);
        Duration doubled = retry.multipliedBy(2);
        retry = doubled.compareTo(LONGEST_RETRY) > 0 ? LONGEST_RETRY : doubled;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private void event(WatchEvent<T> event) {
        retry = FIRST_RETRY;
        seen = event.revision();
        loop.caches().of(kind).heard(event);
    }

    private void ended(long number, Failure reason, String message) {
        synchronized (this) {
            if (closed || number != watches) {
                return;
            }
            watch = null;
            watches++; // the watch may end before its start was answered
        }
        loop.watchFailed(kind, reason, message);
        LOG.debug("the watch of {} ended: {} {}", kind, reason, message);
        later(retry, reason == Failure.GONE ? this::list : this::watch);
    }

    private final class Listener implements WatchListener<T> {
        private final long number;

        Listener(long number) {
            this.number = number;
        }

        @Override
        public void onEvent(WatchEvent<T> event) {
            decider.post(() -> event(event));
        }

        @Override
        public void onBookmark(Revision revision) {
            decider.post(() -> {
                retry = FIRST_RETRY;
                seen = revision;
                loop.caches().of(kind).seen(revision);
            });
        }

        @Override
        public void onEnd(Failure reason, String message) {
            decider.post(() -> ended(number, reason, message));
        }
    }
}
