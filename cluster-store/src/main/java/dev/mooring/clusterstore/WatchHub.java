// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All watches of a store. Queueing is guarded by the store's lock; delivery happens outside it. */
final class WatchHub {
    private static final Logger LOG = LoggerFactory.getLogger(WatchHub.class);

    private final Map<Kind<?>, List<StoreWatch>> watches = new ConcurrentHashMap<>();
    private final Queue<StoreWatch> undelivered = new ConcurrentLinkedQueue<>();
    private final Executor delivery;

    WatchHub(Executor delivery) {
        this.delivery = delivery;
    }

    /** Adds a watch that already has its past queued. */
    void add(Kind<?> kind, StoreWatch watch) {
        watches.computeIfAbsent(kind, each -> new CopyOnWriteArrayList<>()).add(watch);
        undelivered.add(watch);
    }

    /** Delivers to a watch that does not run. */
    void only(StoreWatch watch) {
        undelivered.add(watch);
    }

    void remove(StoreWatch watch) {
        watches.values().forEach(list -> list.remove(watch));
    }

    /** Queues a step for the watches of its kind. */
    void publish(Commit step) {
        for (StoreWatch watch : watches.getOrDefault(step.kind(), List.of())) {
            if (watch.offer(step)) {
                undelivered.add(watch);
            }
        }
    }

    void bookmark(Revision revision) {
        for (List<StoreWatch> list : watches.values()) {
            for (StoreWatch watch : list) {
                if (watch.offerBookmark(revision)) {
                    undelivered.add(watch);
                }
            }
        }
    }

    /** Ends the watches of one kind. */
    void end(Kind<?> kind, Failure reason, String message) {
        for (StoreWatch watch : watches.getOrDefault(kind, List.of())) {
            watch.offerEnd(reason, message);
            undelivered.add(watch);
        }
    }

    void endAll(Failure reason, String message) {
        for (List<StoreWatch> list : watches.values()) {
            for (StoreWatch watch : list) {
                watch.offerEnd(reason, message);
                undelivered.add(watch);
            }
        }
    }

    /** Delivers what is queued, in the order in which it was queued. Called without the store's lock. */
    void deliver() {
        StoreWatch watch = undelivered.poll();
        while (watch != null) {
            deliverTo(watch);
            watch = undelivered.poll();
        }
    }

    /** What was written is written: an executor that takes nothing costs who has written the time of telling it. */
    private void deliverTo(StoreWatch watch) {
        try {
            delivery.execute(watch::drain);
        } catch (RejectedExecutionException e) {
            LOG.warn("the executor for watches took nothing; telling what happened on the thread that wrote", e);
            watch.drain();
        }
    }
}
