// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchEvent;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One watch: a queue that is filled under the store's lock, in the order of the revisions, and emptied outside it by one thread at a
 * time. A thread that finds another one emptying the queue leaves its event there and goes on. So a listener that blocks holds up no other
 * watch. No delivery holds a listener's lock and the store's lock together.
 */
final class StoreWatch implements Watch {
    private final WatchHub hub;
    private final Selection selection;
    private final DocumentSink sink;
    private final int backlog;
    private final Queue<Item> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger drains = new AtomicInteger();
    private volatile boolean ended;
    /** Guarded by the store's lock. */
    private boolean cut;

    /** Guarded by the store's lock. */
    private Revision offered;

    StoreWatch(WatchHub hub, Selection selection, Revision after, DocumentSink sink, int backlog) {
        this.hub = hub;
        this.selection = selection;
        this.sink = sink;
        this.backlog = backlog;
        this.offered = after;
    }

    /** Queues what a step means for the selection; answers whether that is anything. */
    boolean offer(Commit step) {
        boolean before =
                step.before().isPresent() && selection.matches(step.before().get());
        boolean after = !step.removed() && selection.matches(step.after());
        if (!before && !after) {
            return false;
        }
        StoredDocument shown = step.after();
        if (before && !after && !step.removed()) {
            shown = step.before().get().at(step.revision());
        }
        WatchEvent.Type type =
                after ? before ? WatchEvent.Type.MODIFIED : WatchEvent.Type.ADDED : WatchEvent.Type.DELETED;
        StoredDocument object = shown;
        enqueue(() -> sink.onEvent(type, object, step.revision()));
        offered = step.revision();
        return true;
    }

    /** Queues a bookmark, unless an event said as much; answers whether it did. */
    boolean offerBookmark(Revision revision) {
        if (!revision.isAfter(offered)) {
            return false;
        }
        offered = revision;
        enqueue(() -> sink.onBookmark(revision));
        return true;
    }

    /** Queues the end: what was queued before is still delivered. */
    void offerEnd(Failure reason, String message) {
        if (!cut) {
            cut = true;
            queue.add(() -> end(reason, message));
        }
    }

    private void enqueue(Item item) {
        if (cut) {
            return;
        }
        if (waiting.incrementAndGet() > backlog) {
            offerEnd(Failure.GONE, "the listener is too slow: more than " + backlog + " events wait for it");
            return;
        }
        queue.add(() -> {
            waiting.decrementAndGet();
            item.deliver();
        });
    }

    /** Delivers what is queued, unless another thread is doing so. */
    void drain() {
        if (drains.getAndIncrement() != 0) {
            return;
        }
        int seen = 1;
        do {
            Item item = queue.poll();
            while (item != null) {
                deliver(item);
                item = queue.poll();
            }
            seen = drains.addAndGet(-seen);
        } while (seen != 0);
    }

    private void deliver(Item item) {
        if (ended) {
            return;
        }
        try {
            item.deliver();
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    private void failed(Throwable defect) {
        if (!ended) {
            try {
                end(Failure.GONE, "the listener failed: " + defect);
            } catch (RuntimeException | Error again) {
                defect.addSuppressed(again);
            }
        }
    }

    private void end(Failure reason, String message) {
        ended = true;
        hub.remove(this);
        sink.onEnd(reason, message);
    }

    @Override
    public void close() {
        ended = true;
        hub.remove(this);
    }

    private interface Item {
        void deliver();
    }

    /** Where a watch ends: turns stored documents into what its listener wants. */
    interface DocumentSink {
        void onEvent(WatchEvent.Type type, StoredDocument object, Revision revision);

        void onBookmark(Revision revision);

        void onEnd(Failure reason, String message);
    }
}
