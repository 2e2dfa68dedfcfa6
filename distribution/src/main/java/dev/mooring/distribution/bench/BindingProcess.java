// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.bench;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Another process that binds, seen by two watches. */
final class BindingProcess implements MeasuredBinder {
    private final ProcessHandle process;
    private final BoundPairs pairs;
    private final BenchObjects objects;
    private final AtomicLong changes = new AtomicLong();
    private final Watch volumes;
    private final Watch claims;

    BindingProcess(ProcessHandle process, ClusterStore store, BoundPairs pairs, BenchObjects objects) {
        this.process = process;
        this.pairs = pairs;
        this.objects = objects;
        this.volumes = follow(store, Kinds.PERSISTENT_VOLUME, ListOptions.ALL);
        Future<?> unused = process.onExit().thenRun(() -> pairs.fail("process " + process.pid() + " has ended"));
        this.claims = follow(store, Kinds.PERSISTENT_VOLUME_CLAIM, ListOptions.inNamespace(objects.run()));
    }

    private <T extends KubernetesObject> Watch follow(ClusterStore store, Kind<T> kind, ListOptions selected) {
        Revision now = store.list(kind, selected.withLimit(1)).orThrow().revision();
        return store.watch(kind, selected, now, new WatchListener<T>() {
            @Override
            public void onEvent(WatchEvent<T> event) {
                if (objects.owns(event.object())) {
                    changes.incrementAndGet();
                    pairs.note(event.object());
                }
            }

            @Override
            public void onBookmark(Revision revision) {
                // nothing has changed
            }

            @Override
            public void onEnd(Failure reason, String message) {
                pairs.fail("the watch of " + kind.plural() + " ended: " + message);
            }
        });
    }

    @Override
    public long activity() {
        return changes.get();
    }

    @Override
    public Optional<RecordingStore.Requests> requests() {
        return Optional.empty();
    }

    @Override
    public ProcessHandle process() {
        return process;
    }

    @Override
    public void close() {
        volumes.close();
        claims.close();
    }
}
