// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.virtual;

import dev.mooring.runtime.control.Subscription;
import dev.mooring.storage.document.FieldSelection;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One subscription of one process: what the store has shown waits here until it is delivered. */
final class Feed<T extends KubernetesObject> {
    private static final int REPEATED = 8;

    private final ClusterStore store;
    private final Subscription<T> subscription;
    private final Runnable stale;
    private final Runnable lost;
    private final Queue<WatchEvent<T>> waiting = new ArrayDeque<>();
    private Revision seen = Revision.ZERO;
    private boolean due;
    private int missed;
    private boolean closed;
    private boolean ended;
    private boolean forgotten;
    private boolean held;
    private boolean heldNews;
    private final Deque<WatchEvent<T>> told = new ArrayDeque<>();
    private @Nullable Watch watch;

    /**
     * Makes a watch that has not begun.
     *
     * @param subscription what is listed and watched
     * @param stale is run when what it shows is old: once each time that it is held back, shows something again, or begins with an old list
     * @param lost is run when it lists again, and what it lists has changes that it never showed
     */
    Feed(ClusterStore store, Subscription<T> subscription, Runnable stale, Runnable lost) {
        this.store = store;
        this.subscription = subscription;
        this.stale = stale;
        this.lost = lost;
    }

    /** Shows the loop everything that there is, and watches from there. */
    void list() {
        due = false;
        ObjectList<T> all = store.list(kind(), selected()).orThrow();
        seen = all.revision();
        subscription.listed(all.items(), all.revision());
        if (!closed) {
            resume();
        }
    }

    /**
     * Will list when its watch events are delivered.
     *
     * @param changesAgo how many changes the list does not show yet; it is held then
     */
    void listLater(int changesAgo) {
        due = true;
        missed = changesAgo;
    }

    private void listFirst() {
        due = false;
        if (missed == 0) {
            list();
            return;
        }
        int changesAgo = missed;
        missed = 0;
        listAsOf(changesAgo);
        hold();
    }

    /** Whole objects, of which the loop keeps what it reads. */
    private ListOptions selected() {
        return subscription.options().keeping(FieldSelection.ALL);
    }

    private void resume() {
        ended = false;
        watch = store.watch(kind(), selected(), seen, new Listener());
    }

    boolean hasNews() {
        return !held && (due || !waiting.isEmpty() || ended);
    }

    /** Delivers the oldest watch event. */
    void deliver() {
        WatchEvent<T> event = waiting.poll();
        if (due) {
            listFirst();
        } else if (event != null) {
            show(event);
        } else if (ended && forgotten) {
            if (!changesSinceSeen().isEmpty()) {
                lost.run();
            }
            list();
        } else if (ended) {
            resume();
        }
    }

    private void show(WatchEvent<T> event) {
        seen = event.revision().isAfter(seen) ? event.revision() : seen;
        told.addLast(event);
        if (told.size() > REPEATED) {
            told.removeFirst();
        }
        subscription.heard(event);
    }

    Kind<T> kind() {
        return subscription.kind();
    }

    /** Shows nothing until {@link #release}. */
    void hold() {
        held = true;
        heldNews = false;
        noteHeld();
    }

    private void noteHeld() {
        if (held && !heldNews && !waiting.isEmpty()) {
            heldNews = true;
            stale.run();
        }
    }

    boolean isHeld() {
        return held;
    }

    void release() {
        held = false;
    }

    /** Loses what waits: the store has forgotten it, and everything has to be listed again. */
    void lose() {
        if (watch != null) {
            watch.close();
        }
        waiting.clear();
        ended = true;
        forgotten = true;
    }

    /** Will show once more what was shown last. */
    void repeat() {
        if (!told.isEmpty()) {
            stale.run();
        }
        waiting.addAll(told);
    }

    /** Shows the loop what there was so many changes ago, and watches from there. */
    void listAsOf(int changesAgo) {
        due = false;
        List<WatchEvent<T>> past = changesSinceSeen(); // nothing was seen yet
        List<WatchEvent<T>> known = past.subList(0, Math.max(0, past.size() - changesAgo));
        if (known.size() < past.size()) {
            stale.run();
        }
        NavigableMap<ObjectKey, T> objects = new TreeMap<>();
        for (WatchEvent<T> event : known) {
            seen = event.revision();
            if (event.type() == WatchEvent.Type.DELETED) {
                objects.remove(ObjectKey.of(event.object()));
            } else {
                objects.put(ObjectKey.of(event.object()), event.object());
            }
        }
        subscription.listed(List.copyOf(objects.values()), seen);
        if (!closed) {
            resume();
        }
    }

    /** What the store would have shown; it forgets nothing. */
    private List<WatchEvent<T>> changesSinceSeen() {
        List<WatchEvent<T>> changes = new ArrayList<>();
        store.watch(kind(), selected(), seen, new Collector<>(changes)).close();
        return changes;
    }

    void close() {
        closed = true;
        if (watch != null) {
            watch.close();
        }
        waiting.clear();
    }

    private record Collector<T extends KubernetesObject>(List<WatchEvent<T>> past) implements WatchListener<T> {
        @Override
        public void onEvent(WatchEvent<T> event) {
            past.add(event);
        }

        @Override
        public void onBookmark(Revision revision) {
            // only what happened counts
        }

        @Override
        public void onEnd(Failure reason, String message) {
            throw new IllegalStateException("the past is forgotten: " + message);
        }
    }

    private final class Listener implements WatchListener<T> {
        @Override
        public void onEvent(WatchEvent<T> event) {
            waiting.add(event);
            noteHeld();
        }

        @Override
        public void onBookmark(Revision revision) {
            // what is not needed here: a feed never falls behind
        }

        @Override
        public void onEnd(Failure reason, String message) {
            ended = true;
            forgotten = reason == Failure.GONE;
        }
    }
}
