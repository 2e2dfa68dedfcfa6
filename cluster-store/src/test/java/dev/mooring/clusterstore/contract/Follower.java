// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.contract;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;

/** Watches again from the last revision seen when a watch ends as {@link Failure#UNAVAILABLE}: an API server ends one that falls behind. */
final class Follower<T extends KubernetesObject> implements WatchListener<T>, AutoCloseable {
    private final ClusterStore store;
    private final Kind<T> kind;
    private final WatchRecorder<T> recorder;

    // Only the running watch calls, and the next one starts when it has ended.
    private volatile Revision seen;

    private Watch running = () -> {};
    private boolean closed;

    Follower(ClusterStore store, Kind<T> kind, Revision after, WatchRecorder<T> recorder) {
        this.store = store;
        this.kind = kind;
        this.seen = after;
        this.recorder = recorder;
        watch();
    }

    private synchronized void watch() {
        if (!closed) {
            running = store.watch(kind, ListOptions.ALL, seen, this);
        }
    }

    @Override
    public void onEvent(WatchEvent<T> event) {
        recorder.onEvent(event);
        seen = event.revision();
    }

    @Override
    public void onBookmark(Revision revision) {
        recorder.onBookmark(revision);
        seen = revision;
    }

    @Override
    public void onEnd(Failure reason, String message) {
        if (reason == Failure.UNAVAILABLE) {
            watch();
        } else {
            recorder.onEnd(reason, message);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        running.close();
    }
}
