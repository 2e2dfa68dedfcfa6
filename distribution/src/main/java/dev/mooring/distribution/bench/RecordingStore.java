// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.bench;

import dev.mooring.runtime.control.TimeSource;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ForwardingStore;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.WriteRequest;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The controllers' view of the cluster: counts every request that they make, and notes from the server's answers when each object was
 * where it shall be. Another watch would tell the same, and cost what is to be measured. Thread-safe.
 */
final class RecordingStore extends ForwardingStore {
    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final TimeSource time;
    private final AtomicLong writes = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong events = new AtomicLong();
    private final AtomicLong reads = new AtomicLong();
    private final Map<ObjectKey, Long> boundVolumes = new HashMap<>(); // guarded by this, as the next three
    private final Map<ObjectKey, Long> boundClaims = new HashMap<>();
    private final Set<ObjectKey> available = new HashSet<>();

    RecordingStore(ClusterStore store, TimeSource time) {
        super(store);
        this.time = time;
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

    /** When the later one of the two was answered to be Bound. */
    synchronized long boundAt(ObjectKey volume, ObjectKey claim) {
        return Math.max(boundVolumes.getOrDefault(volume, 0L), boundClaims.getOrDefault(claim, 0L));
    }

    synchronized void awaitAvailable(int count) throws InterruptedException {
        await(() -> available.size() >= count, count + " volumes available");
    }

    synchronized void awaitBound(int pairs) throws InterruptedException {
        await(() -> boundVolumes.size() >= pairs && boundClaims.size() >= pairs, pairs + " pairs bound");
    }

    private void await(BooleanSupplier reached, String what) throws InterruptedException {
        long begin = time.now().monotonicNanos();
        while (!reached.getAsBoolean()) {
            if (time.now().monotonicNanos() - begin > PATIENCE_NANOS) {
                throw new IllegalStateException(what + ": not within 10 minutes; volumes bound: " + boundVolumes.size()
                        + ", claims bound: " + boundClaims.size() + ", volumes available: " + available.size());
            }
            wait(100);
        }
    }

    private <T> StoreResult<T> noted(Kind<?> kind, StoreResult<T> result) {
        if (kind.equals(Kinds.EVENT)) {
            events.incrementAndGet();
            return result;
        }
        writes.incrementAndGet();
        result.match(this::note, refused -> failed.incrementAndGet());
        return result;
    }

    private synchronized long note(Object object) {
        if (object instanceof PersistentVolume volume) {
            ObjectKey key = ObjectKey.of(volume);
            if (volume.status().phase() == PersistentVolumePhase.BOUND) {
                boundVolumes.putIfAbsent(key, time.now().monotonicNanos());
            } else if (volume.status().phase() == PersistentVolumePhase.AVAILABLE) {
                available.add(key);
            }
        } else if (object instanceof PersistentVolumeClaim claim
                && claim.status().phase() == ClaimPhase.BOUND) {
            boundClaims.putIfAbsent(ObjectKey.of(claim), time.now().monotonicNanos());
        }
        notifyAll();
        return 0;
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
