// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import dev.mooring.runtime.control.Subscription;
import dev.mooring.storage.document.FieldSelection;
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
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Feeds one subscription of a loop: lists, then watches, and lists again when the store has forgotten where the watch ended. Before a watch that broke
 * is resumed, the store is asked for its revision: one that was restored from a backup has gone back, and a watch from a revision that has
 * not come yet may be silent for ever. Confined to the decider's thread but for {@link #close} and {@link #isFollowing}.
 */
final class Reflector<T extends KubernetesObject> {
    private static final Logger LOG = LoggerFactory.getLogger(Reflector.class);
    private static final FieldSelection NAME = FieldSelection.of("metadata.name");

    private final ClusterStore store;
    private final Subscription<T> subscription;
    private final LoopThread decider;
    private final Executor executor;
    private final FollowingLog log;
    private final WatchBackoff backoff;
    private Revision seen = Revision.ZERO;
    private boolean looksAtAny = true;
    private @Nullable Watch watch; // guarded by this, as are the next two
    private long watches;
    private boolean closed;

    Reflector(
            ClusterStore store,
            Subscription<T> subscription,
            LoopThread decider,
            Executor executor,
            FollowingLog log,
            RandomGenerator random) {
        this.store = store;
        this.subscription = subscription;
        this.decider = decider;
        this.executor = executor;
        this.log = log;
        this.backoff = new WatchBackoff(random);
    }

    void list() {
        listing(subscription.options(), this::listed, this::list);
    }

    /** Watches on from what was seen, unless the store has gone back since. */
    private void resume() {
        ListOptions selected = subscription.options().withLimit(1);
        listing(looksAtAny ? any(selected) : selected, this::looked, this::resume);
    }

    /**
     * The list of any one object tells the revision as well. To find one that labels or fields select, but for the name, an API server would
     * read the whole kind from its database.
     */
    private static ListOptions any(ListOptions selected) {
        String fields = selected.isByName() ? selected.fields() : "";
        return ListOptions.inNamespace(selected.namespace())
                .withFields(fields)
                .withLimit(1)
                .keeping(NAME);
    }

    private void listing(ListOptions options, Consumer<StoreResult<ObjectList<T>>> then, Runnable again) {
        if (!isClosed()) {
            execute(
                    () -> {
                        StoreResult<ObjectList<T>> result = listGuarded(options);
                        decider.post(() -> then.accept(result));
                    },
                    again);
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

    /** Whether a watch runs and will deliver changes; true also after the end. From any thread. */
    synchronized boolean isFollowing() {
        return closed || watch != null;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /**
     * Has a request made.
     *
     * @param again what to do after a while if the executor refuses it, for example because its queue is full
     */
    private void execute(Runnable request, Runnable again) {
        try {
            executor.execute(request);
        } catch (RejectedExecutionException e) {
            if (!isClosed()) {
                Duration wait = later(Duration.ZERO, again);
                LOG.error(
                        "the executor for requests took none; trying again in {} to follow {}",
                        wait,
                        subscription.kind(),
                        e);
            }
        }
    }

    /** A list that fails with a defect of the store is tried again like any other. */
    private StoreResult<ObjectList<T>> listGuarded(ListOptions options) {
        try {
            return store.list(subscription.kind(), options);
        } catch (Throwable defect) {
            return StoreResult.failed(Failure.UNKNOWN, "the store failed: " + defect);
        }
    }

    private void listed(StoreResult<ObjectList<T>> result) {
        if (isClosed()) {
            return;
        }
        result.ifOk(list -> {
            if (seen.isAfter(list.revision())) {
                LOG.warn(
                        "the cache of {} is built again: the store's revision went back from {} to {}, as that of one "
                                + "that was restored from a backup",
                        subscription.kind(),
                        seen,
                        list.revision());
            }
            seen = list.revision();
            subscription.listed(list.items(), list.revision());
            watch();
        });
        result.ifFailed(failed -> {
            failed(failed, this::list);
        });
    }

    /** Learns the revision at which the store is. */
    private void looked(StoreResult<ObjectList<T>> result) {
        if (isClosed()) {
            return;
        }
        result.ifOk(list -> {
            if (seen.isAfter(list.revision())) {
                list();
            } else {
                watch();
            }
        });
        result.ifFailed(failed -> {
            if (looksAtAny && failed.reason() == Failure.FORBIDDEN) {
                looksAtAny = false; // rules may allow the selection only
                resume();
            } else {
                failed(failed, this::resume);
            }
        });
    }

    private void failed(StoreResult.Failed<?> failed, Runnable again) {
        subscription.failed(failed.reason(), failed.message());
        Duration wait = later(failed.retryAfter().orElse(Duration.ZERO), again);
        log.failed(subscription.kind(), subscription.options().fields(), failed.message(), wait);
    }

    private void watch() {
        if (!isClosed()) {
            Revision from = seen;
            ListOptions options = subscription.options();
            long number = begin();
            execute(
                    () -> {
                        try {
                            watching(store.watch(subscription.kind(), options, from, new Listener(number)), number);
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

    /** Keeps a watch unless it came too late: it would never be closed. */
    private void watching(Watch started, long number) {
        boolean kept;
        synchronized (this) {
            kept = !closed && number == watches;
            if (kept) {
                watch = started;
            }
        }
        if (kept) {
            decider.post(() -> {}); // waiters for quiescence look again
        } else {
            started.close();
        }
    }

    private Duration later(Duration asked, Runnable work) {
        Duration wait = backoff.failed(asked);
        decider.after(wait, work);
        return wait;
    }

    private void event(long number, WatchEvent<T> event) {
        if (delivered(number, event.revision())) {
            subscription.heard(event);
        }
    }

    private void bookmark(long number, Revision revision) {
        if (delivered(number, revision)) {
            subscription.seen(revision);
        }
    }

    /** Whether it may be believed: what lies before that which was seen is of another history. */
    private boolean delivered(long number, Revision revision) {
        if (!isCurrent(number)) {
            return false;
        }
        if (seen.isAfter(revision)) {
            ended(number, Failure.GONE, "the store has gone back from revision " + seen + " to " + revision);
            return false;
        }
        backoff.delivered();
        seen = revision;
        return true;
    }

    private synchronized boolean isCurrent(long number) {
        return !closed && number == watches;
    }

    private void ended(long number, Failure reason, String message) {
        Watch last;
        synchronized (this) {
            if (closed || number != watches) {
                return;
            }
            last = watch;
            watch = null;
            watches++; // the watch may end before its start was answered
        }
        if (last != null) {
            last.close();
        }
        subscription.failed(reason, message);
        LOG.debug("the watch of {} ended: {} {}", subscription.kind(), reason, message);
        later(Duration.ZERO, reason == Failure.GONE ? this::list : this::resume);
    }

    private final class Listener implements WatchListener<T> {
        private final long number;

        Listener(long number) {
            this.number = number;
        }

        @Override
        public void onEvent(WatchEvent<T> event) {
            decider.postChange(() -> event(number, event));
        }

        @Override
        public void onBookmark(Revision revision) {
            decider.postChange(() -> bookmark(number, revision));
        }

        @Override
        public void onEnd(Failure reason, String message) {
            decider.post(() -> ended(number, reason, message));
        }
    }
}
