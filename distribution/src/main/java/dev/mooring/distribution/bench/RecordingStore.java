// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.bench;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ForwardingStore;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.WriteRequest;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The controllers' view of the cluster: counts every request that they make, and notes from the server's answers when each object was
 * where it shall be. Another watch would tell the same, and cost what is to be measured. Thread-safe.
 */
final class RecordingStore extends ForwardingStore {
    private final BoundPairs pairs;
    private final AtomicLong writes = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong events = new AtomicLong();
    private final AtomicLong reads = new AtomicLong();

    RecordingStore(ClusterStore store, BoundPairs pairs) {
        super(store);
        this.pairs = pairs;
    }

    /**
     * Requests that the controllers made.
     *
     * @param writes of volumes and claims, whether they succeeded or not
     * @param failed of these, those that did not succeed
     * @param events events for people
     * @param reads of single objects
     */
    record Requests(long writes, long failed, long events, long reads) {
        Requests since(Requests before) {
            return new Requests(
                    writes - before.writes, failed - before.failed, events - before.events, reads - before.reads);
        }
    }

    Requests requests() {
        return new Requests(writes.get(), failed.get(), events.get(), reads.get());
    }

    private <T> StoreResult<T> noted(Kind<?> kind, StoreResult<T> result) {
        if (kind.equals(Kinds.EVENT)) {
            events.incrementAndGet();
            return result;
        }
        writes.incrementAndGet();
        if (result.value().isPresent()) {
            pairs.note(result.value().get());
        } else {
            failed.incrementAndGet();
        }
        return result;
    }

    @Override
    public <T extends KubernetesObject> StoreResult<T> get(Kind<T> kind, ObjectKey key) {
        reads.incrementAndGet();
        return super.get(kind, key);
    }

    @Override
    protected <R> StoreResult<R> write(WriteRequest request, Supplier<StoreResult<R>> call) {
        return noted(request.kind(), call.get());
    }
}
